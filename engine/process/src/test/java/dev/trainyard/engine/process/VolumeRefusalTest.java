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
  static RealEngine sandbox;

  @BeforeAll
  static void open() {
    sandbox = new RealEngine(data);
  }

  @AfterAll
  static void close() {
    if (sandbox != null) {
      sandbox.close();
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
  void target_hostile(String target) {
    Draft draft = sandbox.task("true");
    draft.volumes.add(new Volume(data.resolve("v"), target, OWNED));

    assertThatThrownBy(draft::start).isInstanceOf(EngineException.class);
  }

  @Test
  void target_similarNameOfAnother() throws IOException {
    Draft draft = sandbox.task("echo x > /userhome-2/x && cat /userhome-2/x");
    draft.volumes.add(new Volume(data.resolve("similar"), "/userhome-2", OWNED));

    assertThat(draft.run().stdout()).isEqualTo("x\n");
  }

  /**
   * An earlier task left a link in the shared volume that the path of the later task would follow.
   */
  @Test
  void target_throughALinkInASharedVolume() throws IOException {
    Path shared = data.resolve("shared-volume");
    Draft first = sandbox.task("ln -s /usr/local /tmp/a/d && echo prepared");
    first.volumes.add(new Volume(shared, "/tmp/a", OWNED));
    assertThat(first.run().stdout()).isEqualTo("prepared\n");

    Draft second = sandbox.task("ls -A /usr/local/sbin");
    second.volumes.add(new Volume(shared, "/tmp/a", OWNED));
    second.volumes.add(new Volume(data.resolve("programs"), "/tmp/a/d/sbin", OWNED));

    assertThatThrownBy(second::start)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("/tmp/a/d/sbin")
        .hasMessageContaining("another volume");
  }

  /** Like the previous test, but the paths show no relation: a link on the host joins them. */
  @Test
  void target_inAnotherVolumeThroughALinkOfTheHost() throws IOException {
    RealEngine.requireRoot();
    Path shared = data.resolve("joined");
    Draft first = sandbox.task("ln -s /usr/local /joined/d && echo prepared");
    first.volumes.add(new Volume(shared, "/joined", OWNED));
    assertThat(first.run().stdout()).isEqualTo("prepared\n");

    Path link = machineLink("joined", Path.of("/joined"));
    try {
      Draft second = sandbox.task("ls -A /usr/local/sbin");
      second.volumes.add(new Volume(shared, "/joined", OWNED));
      second.volumes.add(new Volume(data.resolve("programs"), link + "/d/sbin", OWNED));
      Result result = second.run();

      assertThat(result.end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(result.end().detail()).contains("/joined/d/sbin").contains("another volume");
    } finally {
      Files.delete(link);
    }
  }

  @Test
  void target_inASystemDirectoryThroughALinkOfTheHost() throws IOException {
    RealEngine.requireRoot();
    Path link = machineLink("system", Path.of("/usr/local"));
    try {
      Draft draft = sandbox.task("true");
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
  void target_isAFileOfTheHost(String below) throws IOException {
    RealEngine.requireRoot();
    Path file = Files.createFile(Path.of("/opt/trainyard-file-" + data.getFileName()));
    try {
      Draft draft = sandbox.task("true");
      draft.volumes.add(new Volume(data.resolve("v"), file + below, OWNED));
      Result result = draft.run();

      assertThat(result.end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(result.end().detail()).contains(file + below).contains("can't be a directory");
    } finally {
      Files.delete(file);
    }
  }

  /** The target of the link on the host does not exist inside, so it cannot be a mount point. */
  @Test
  void target_throughALinkToAHiddenDirectory() throws IOException {
    RealEngine.requireRoot();
    Path outside = Files.createDirectory(data.resolve("outside"));
    Path link = machineLink("hidden", outside);
    try {
      Draft draft = sandbox.task("true");
      draft.volumes.add(new Volume(data.resolve("v"), link + "/deep/er", OWNED));

      assertThat(draft.run().end().reason()).isEqualTo(ExitReason.START_REFUSED);
      assertThat(outside).isEmptyDirectory();
    } finally {
      Files.delete(link);
    }
  }

  /** Many hosts have /var/run -> /run; such a link is followed inside only. */
  @Test
  void target_throughALinkToAHarmlessDirectory() throws IOException {
    RealEngine.requireRoot();
    Path link = machineLink("harmless", Path.of("/var"));
    try {
      Draft draft = sandbox.task("echo x > /var/trainyard-deep/er/x");
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
    Draft alice = sandbox.task("echo private > /userhome/mine");
    alice.user = 2;
    alice.run();
    Draft thief = sandbox.task("cat /stolen/mine");
    thief.volumes.add(new Volume(sandbox.home(2), "/stolen", OWNED));

    assertThatThrownBy(thief::start)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("/stolen belongs to another user of the platform");
    assertThat((Integer) Files.getAttribute(sandbox.home(2), "unix:uid"))
        .isEqualTo(IdRange.of(2).base());
    assertThat(data.resolve("tasks").resolve(thief.id.toString())).doesNotExist();
  }

  /**
   * Puts programs with the names of the tools into the task's root, as if an attacker had managed
   * to do so: whichever is run must have only the privileges of the task's user.
   */
  @ParameterizedTest
  @CsvSource({"perl, bash, /userhome", "shell, setpriv, /"})
  void programsInTheRoot_haveNoPrivilegesOutside(String supervisor, String first, String place)
      throws IOException {
    RealEngine.requireRoot();
    System.setProperty(HostTools.SUPERVISOR, supervisor);
    try (RealEngine engine = new RealEngine(data.resolve(supervisor))) {
      Draft draft = engine.task("true");
      draft.reserve();
      Path upper = engine.data.resolve("tasks/" + draft.id + "/layer0.upper");
      Files.copy(Path.of("/bin/bash"), upper.resolve("shell"), StandardCopyOption.COPY_ATTRIBUTES);
      for (String directory : Spawn.TOOL_PATH.split(":", -1)) {
        Path real = Path.of(directory).toRealPath();
        Path tools = Files.createDirectories(upper.resolve(real.toString().substring(1)));
        for (String tool : new String[] {"perl", "unshare", "nsenter", "setpriv", "sh", "bash"}) {
          Path fake = tools.resolve(tool);
          Files.writeString(
              fake,
              "#!/shell\necho " + tool + "; cat /proc/self/uid_map; readlink /proc/self/cwd\n");
          Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
      Result result = engine.awaitEnd(draft.startReserved());

      assertThat(result.stdout().strip().split("\\s+"))
          .containsExactly(
              first, "0", Integer.toString(IdRange.of(1).base()), "" + IdRange.SIZE, place);
    } finally {
      System.clearProperty(HostTools.SUPERVISOR);
    }
  }

  private static Path machineLink(String name, Path to) throws IOException {
    Path link = Path.of("/opt/trainyard-" + name + "-" + data.getFileName());
    return Files.createSymbolicLink(link, to);
  }
}
