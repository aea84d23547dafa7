package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.exception.NotFoundException;
import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.docker.RealEngine.Draft;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the attempts of a hostile image author. */
class HostileImageTest {
  /** Settings that an image must not get or that must have no effect. */
  private static final String SETTINGS =
      """
      ENV LD_PRELOAD=/bin/busybox NVIDIA_VISIBLE_DEVICES=all ASCEND_VISIBLE_DEVICES=0-7
      LABEL dev.trainyard.server=000000000000 dev.trainyard.task=x dev.trainyard.keeper=1
      VOLUME /etc /data /usr/local /dev/shm
      HEALTHCHECK --interval=1s CMD /bin/touch /healthy
      STOPSIGNAL SIGKILL
      ONBUILD RUN /bin/false
      EXPOSE 22
      ENTRYPOINT ["/bin/false"]
      """;

  @TempDir Path data;
  private RealEngine engine;

  @BeforeEach
  void open() {
    engine = new RealEngine(data);
  }

  @AfterEach
  void close() {
    if (engine != null) {
      engine.close();
    }
  }

  @Test
  void settings_ofImage_areIgnored() {
    Draft draft =
        engine.task(
            "trap 'echo asked; exit 5' TERM; echo ready $NVIDIA_VISIBLE_DEVICES"
                + " x$ASCEND_VISIBLE_DEVICES x$CUDA_VISIBLE_DEVICES; while :; do sleep 0.1; done");
    draft.image = TestImages.busybox("hostile", SETTINGS);
    draft.start();
    TestHost.await(() -> engine.log(draft.id, "stdout").contains("ready"));
    var container = engine.inspect(draft.id);
    var health = container.getState().getHealth();
    assertThat(health == null ? "" : health.getStatus()).isEmpty();
    assertThat(container.getConfig().getLabels()).containsEntry(Labels.TASK, draft.id.toString());
    assertThat(container.getHostConfig().getPortBindings().getBindings().values())
        .allMatch(Objects::isNull);
    List<String> volumes =
        container.getMounts().stream()
            .map(mount -> mount.getName())
            .filter(Objects::nonNull)
            .toList();
    assertThat(volumes).isNotEmpty();

    engine.reopen();
    assertThat(engine.observation(draft.id).end())
        .as("the task is not mistaken for a root helper")
        .isEmpty();
    engine.engine.stop(draft.id, java.time.Duration.ofSeconds(30));
    TaskEnd end = engine.awaitEnd(draft.id);
    assertThat(end.exitCode()).isEqualTo(5);
    assertThat(engine.log(draft.id, "stdout")).isEqualTo("ready void x x\nasked\n");
    engine.engine.remove(draft.id);
    for (String volume : volumes) {
      assertThatThrownBy(() -> TestImages.connection().client().inspectVolumeCmd(volume).exec())
          .isInstanceOf(NotFoundException.class);
    }
  }

  @Test
  void user_unknown_isRefused() {
    Draft draft = engine.task("true");
    draft.image = TestImages.busybox("nobody", "USER nosuchuser:nosuchgroup\n");
    TaskEnd end = draft.run();
    assertThat(end.reason()).isEqualTo(ExitReason.START_REFUSED);
    assertThat(end.detail()).contains("nosuchuser");
  }

  @Test
  void user_idOutOfRange_isRefused() {
    Draft draft = engine.task("true");
    draft.image = TestImages.busybox("far", "USER 4294967294\n");
    TaskEnd end = draft.run();
    assertThat(end.reason()).isEqualTo(ExitReason.START_REFUSED);
    assertThat(end.detail()).contains("must be in range");
  }

  @ParameterizedTest
  @CsvSource({
    "init, VOLUME /usr/local/pai/.trainyard, platform's",
    "dots, VOLUME /usr/local/../local/pai/secrets, platform's",
    "cards, VOLUME /var/run/nvidia-container-devices/all, platform's",
    "root, VOLUME /, which can't be mounted",
    "inside, VOLUME /extra /userhome/../userhome/x, inside a volume of the task",
    "leak, WORKDIR /proc/self/fd/8, kernel's"
  })
  void settings_rejected(String name, String line, String reason) {
    Draft draft = engine.task("true");
    draft.image = TestImages.busybox(name, line + "\n");
    draft.volumes.add(new Volume(data.resolve("home"), "/userhome", Volume.Access.OWNED));
    assertThatThrownBy(draft::reserve)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining(reason);
    assertThat(engine.engine.list()).isEmpty();
  }

  /** Returns everything below a directory, with owner, mode and length. */
  private static List<String> listFiles(Path directory) throws Exception {
    return TestHost.run("find", directory.toString(), "-printf", "%P %U:%G %m %s\\n")
        .lines()
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "volumes, /userhome /gdata /userhome/new ../../../../../../../etc",
    "ours, /usr/local/pai /usr/local/pai/secrets /usr/local/pai/.trainyard"
  })
  void links_atMountPoints_notFollowedToTheHost(String name, String targets) throws Exception {
    Path home = Files.createDirectory(data.resolve("home"));
    Path readOnlyDirectory = Files.createDirectory(data.resolve("given"));
    Files.writeString(readOnlyDirectory.resolve("text"), "given");
    Draft taskBefore = engine.task("echo kept >/userhome/kept");
    taskBefore.volumes.add(new Volume(home, "/userhome", Volume.Access.OWNED));
    taskBefore.run();
    List<String> homeBefore = listFiles(home);
    List<String> readOnlyBefore = listFiles(readOnlyDirectory);

    // Deep enough to be mounted after all mounts of the platform.
    Map<String, String> links = new TreeMap<>();
    for (String target : targets.split(" ", -1)) {
      links.put("v/e/r/y/d/e/" + links.size() + "/deep", target);
    }
    String volumes = "/" + String.join(" /", links.keySet());
    String firstVolume = "/" + links.keySet().iterator().next();
    Draft draft = engine.task("ls -R /v; exit 0");
    draft.image =
        TestImages.busybox(
            "link-" + name, "VOLUME %s\nWORKDIR %s/in\n".formatted(volumes, firstVolume), links);
    draft.volumes.add(new Volume(home, "/userhome", Volume.Access.OWNED));
    draft.volumes.add(new Volume(readOnlyDirectory, "/gdata", Volume.Access.READ_ONLY));
    draft.run();
    engine.engine.remove(draft.id);

    List<String> homeAfter = new ArrayList<>(listFiles(home));
    // A mount point is created where the task can write, and belongs to the task's user.
    int owner = RealEngine.owner(1);
    homeAfter.removeIf(line -> line.matches("new %d:\\d+ 755 \\d+".formatted(owner)));
    assertThat(homeAfter).isEqualTo(homeBefore);
    assertThat(listFiles(readOnlyDirectory)).isEqualTo(readOnlyBefore);
    Draft taskAfter = engine.task("cat /userhome/kept");
    taskAfter.volumes.add(new Volume(home, "/userhome", Volume.Access.OWNED));
    assertThat(taskAfter.run().exitCode()).as("the files of other tasks are unchanged").isZero();
    assertThat(engine.log(taskAfter.id, "stdout")).isEqualTo("kept\n");
  }
}
