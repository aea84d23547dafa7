package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.Spawn;
import dev.trainyard.engine.process.RealEngine.Draft;
import dev.trainyard.engine.process.RealEngine.Result;
import dev.trainyard.model.ExitReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verifies with real tasks that volumes give a task nothing more than a directory for its files.
 */
class VolumeRefusalTest {
  private static final Volume.Access OWNED = Volume.Access.OWNED;

  @TempDir static Path data;
  static RealEngine realEngine;

  @BeforeAll
  static void open() {
    realEngine = new RealEngine(data);
  }

  @AfterAll
  static void close() {
    if (realEngine != null) {
      realEngine.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "relative",
        "/",
        "//",
        "/./",
        "/a/../b",
        "/..",
        "/proc/x",
        "/dev",
        "/sys/y",
        "/usr/local/sbin",
        "/usr/local/pai/runtime.d",
        "//etc/x",
        "/lib64",
        "/bin",
        "/sbin/x",
        "/a\nb",
        "/userhome",
        "/./userhome/",
        "/userhome/output"
      })
  void target_hostile_isRejected(String target) {
    Draft draft = realEngine.task("true");
    draft.volumes.add(new Volume(data.resolve("v"), target, OWNED));

    assertThatThrownBy(draft::start).isInstanceOf(EngineException.class);
  }

  @Test
  void target_similarNameOfAnother() throws IOException {
    Draft draft = realEngine.task("echo x > /userhome-2/x && cat /userhome-2/x");
    draft.volumes.add(new Volume(data.resolve("similar"), "/userhome-2", OWNED));

    assertThat(draft.run().stdout()).isEqualTo("x\n");
  }

  /**
   * An earlier task left a symbolic link in the shared volume. The mount point of the later task
   * would be resolved through this link.
   */
  @Test
  void target_throughALinkInASharedVolume() throws IOException {
    Path shared = data.resolve("shared-volume");
    Draft firstDraft = realEngine.task("ln -s /usr/local /tmp/a/d && echo prepared");
    firstDraft.volumes.add(new Volume(shared, "/tmp/a", OWNED));
    assertThat(firstDraft.run().stdout()).isEqualTo("prepared\n");

    Draft secondDraft = realEngine.task("ls -A /usr/local/sbin");
    secondDraft.volumes.add(new Volume(shared, "/tmp/a", OWNED));
    secondDraft.volumes.add(new Volume(data.resolve("programs"), "/tmp/a/d/sbin", OWNED));

    assertThatThrownBy(secondDraft::start)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("/tmp/a/d/sbin")
        .hasMessageContaining("another volume");
  }

  /** The mount point of a volume is inside another volume, but only through a link of the host. */
  @Test
  void target_inAnotherVolumeThroughALinkOfTheHost() throws IOException {
    RealEngine.requireRoot();
    Path shared = data.resolve("joined");
    Draft firstDraft = realEngine.task("ln -s /usr/local /joined/d && echo prepared");
    firstDraft.volumes.add(new Volume(shared, "/joined", OWNED));
    assertThat(firstDraft.run().stdout()).isEqualTo("prepared\n");

    Path link = createHostLink("joined", Path.of("/joined"));
    try {
      Draft secondDraft = realEngine.task("ls -A /usr/local/sbin");
      secondDraft.volumes.add(new Volume(shared, "/joined", OWNED));
      secondDraft.volumes.add(new Volume(data.resolve("programs"), link + "/d/sbin", OWNED));
      Result result = secondDraft.run();

      assertThat(result.end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(result.end().detail()).contains("/joined/d/sbin").contains("another volume");
    } finally {
      Files.delete(link);
    }
  }

  @Test
  void target_inASystemDirectoryThroughALinkOfTheHost() throws IOException {
    RealEngine.requireRoot();
    Path link = createHostLink("system", Path.of("/usr/local"));
    try {
      Draft draft = realEngine.task("true");
      draft.volumes.add(new Volume(data.resolve("programs"), link + "/sbin", OWNED));
      Result result = draft.run();

      assertThat(result.end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(result.end().detail()).contains("/usr belongs to the system");
    } finally {
      Files.delete(link);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "/below"})
  void target_fileOfHost_isRejected(String suffix) throws IOException {
    RealEngine.requireRoot();
    Path file = Files.createFile(Path.of("/opt/trainyard-file-" + data.getFileName()));
    try {
      Draft draft = realEngine.task("true");
      draft.volumes.add(new Volume(data.resolve("v"), file + suffix, OWNED));
      Result result = draft.run();

      assertThat(result.end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(result.end().detail()).contains(file + suffix).contains("created as a directory");
    } finally {
      Files.delete(file);
    }
  }

  /**
   * The target of the host's link does not exist inside the task, so it cannot be a mount point.
   */
  @Test
  void target_throughALinkToAHiddenDirectory() throws IOException {
    RealEngine.requireRoot();
    Path hiddenDirectory = Files.createDirectory(data.resolve("outside"));
    Path link = createHostLink("hidden", hiddenDirectory);
    try {
      Draft draft = realEngine.task("true");
      draft.volumes.add(new Volume(data.resolve("v"), link + "/deep/er", OWNED));

      assertThat(draft.run().end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(hiddenDirectory).isEmptyDirectory();
    } finally {
      Files.delete(link);
    }
  }

  /** Many hosts have a link from /var/run to /run; such a link is followed inside the task only. */
  @Test
  void target_throughALinkToAHarmlessDirectory() throws IOException {
    RealEngine.requireRoot();
    Path link = createHostLink("harmless", Path.of("/var"));
    try {
      Draft draft = realEngine.task("echo x > /var/trainyard-deep/er/x");
      draft.volumes.add(new Volume(data.resolve("linked"), link + "/trainyard-deep/er", OWNED));

      assertThat(draft.run().end().reason()).isEqualTo(ExitReason.SUCCEEDED);
      assertThat(data.resolve("linked/x")).exists();
      assertThat(Path.of("/var/trainyard-deep")).doesNotExist();
    } finally {
      Files.delete(link);
    }
  }

  @Test
  void source_ofAnotherUser() throws IOException {
    RealEngine.requireRoot();
    Draft otherUserDraft = realEngine.task("echo private > /userhome/mine");
    otherUserDraft.user = 2;
    otherUserDraft.run();
    Draft attackerDraft = realEngine.task("cat /stolen/mine");
    attackerDraft.volumes.add(new Volume(realEngine.home(2), "/stolen", OWNED));

    assertThatThrownBy(attackerDraft::start)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("/stolen belongs to another user of the platform");
    assertThat((Integer) Files.getAttribute(realEngine.home(2), "unix:uid"))
        .isEqualTo(IdRange.of(2).base());
    assertThat(data.resolve("tasks").resolve(attackerDraft.id.toString())).doesNotExist();
  }

  /**
   * Writes programs with the names of the tools into the task's root, as an attacker might do. If
   * such a program is run, it must have only the privileges of the task's user.
   */
  @ParameterizedTest
  @CsvSource({"perl, bash, /userhome", "shell, setpriv, /"})
  void programsInTheRoot_haveNoPrivilegesOutside(
      String supervisor, String firstProgram, String workingDirectory) throws IOException {
    RealEngine.requireRoot();
    System.setProperty(HostTools.SUPERVISOR_PROPERTY, supervisor);
    try (RealEngine engine = new RealEngine(data.resolve(supervisor))) {
      Draft draft = engine.task("true");
      draft.reserve();
      Path upper = engine.data.resolve("tasks/" + draft.id + "/layer0.upper");
      Files.copy(Path.of("/bin/bash"), upper.resolve("shell"), StandardCopyOption.COPY_ATTRIBUTES);
      for (String directory : Spawn.TOOL_PATH.split(":", -1)) {
        Path realPath = Path.of(directory).toRealPath();
        Path tools = Files.createDirectories(upper.resolve(realPath.toString().substring(1)));
        for (String tool : new String[] {"perl", "unshare", "nsenter", "setpriv", "sh", "bash"}) {
          Path fakeTool = tools.resolve(tool);
          Files.writeString(
              fakeTool,
              "#!/shell\necho " + tool + "; cat /proc/self/uid_map; readlink /proc/self/cwd\n");
          Files.setPosixFilePermissions(fakeTool, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
      Result result = engine.awaitEnd(draft.startReserved());

      assertThat(result.stdout().strip().split("\\s+"))
          .containsExactly(
              firstProgram,
              "0",
              Integer.toString(IdRange.of(1).base()),
              "" + IdRange.SIZE,
              workingDirectory);
    } finally {
      System.clearProperty(HostTools.SUPERVISOR_PROPERTY);
    }
  }

  private static Path createHostLink(String name, Path target) throws IOException {
    Path link = Path.of("/opt/trainyard-" + name + "-" + data.getFileName());
    return Files.createSymbolicLink(link, target);
  }
}
