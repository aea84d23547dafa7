package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Container;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.docker.RealEngine.Draft;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests several servers that share one Docker engine. */
class SharedEngineTest {
  @TempDir Path directory;

  private Path createDirectory(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  /**
   * Both servers know the same task, as after a restore of one server's backup by another server.
   */
  @Test
  void sameTaskId_eachServerHasOwnContainer() throws IOException {
    try (RealEngine firstEngine = new RealEngine(createDirectory("first"));
        RealEngine secondEngine = new RealEngine(createDirectory("second"))) {
      Draft firstTask = firstEngine.task("echo first; sleep 300");
      firstTask.volumes.add(
          new Volume(firstEngine.data.resolve("home"), "/userhome", Volume.Access.OWNED));
      Draft secondTask = secondEngine.task("echo second; exit 3");
      secondTask.id = firstTask.id;
      firstTask.start();
      assertThat(secondTask.run().exitCode()).isEqualTo(3);
      TestHost.await(() -> firstEngine.log(firstTask.id, "stdout").equals("first\n"));
      assertThat(secondEngine.log(secondTask.id, "stdout")).isEqualTo("second\n");
      String network = firstEngine.inspect(firstTask.id).getHostConfig().getNetworkMode();
      assertThat(secondEngine.inspect(secondTask.id).getHostConfig().getNetworkMode())
          .isNotEqualTo(network);

      secondEngine.reopen();
      secondEngine.engine.remove(secondTask.id);
      secondEngine.engine.close();
      TestImages.removeNetworks(secondEngine.data);
      secondEngine.reopen();
      firstEngine.reopen();
      assertThat(firstEngine.observation(firstTask.id).end()).isEmpty();
      assertThat(firstEngine.inspect(firstTask.id).getState().getRunning()).isTrue();
      assertThat(TestImages.networks(firstEngine.data)).isNotEmpty();
    }
  }

  @Test
  void copyOfADataDirectory_isAnotherServer() throws Exception {
    Path moved = directory.resolve("moved");
    try (RealEngine firstEngine = new RealEngine(createDirectory("first"))) {
      Draft draft = firstEngine.task("sleep 300");
      draft.start();
      TestHost.run("mkdir", "-p", directory.resolve("copy").toString());
      for (String part : List.of("id", "id.place", "tasks")) {
        TestHost.run("mkdir", "-p", directory.resolve("copy/docker").toString());
        TestHost.run(
            "cp",
            "-a",
            firstEngine.data.resolve("docker/" + part) + "",
            directory + "/copy/docker/");
      }
      try (RealEngine copiedEngine = new RealEngine(directory.resolve("copy"))) {
        assertThat(serverId(copiedEngine.data)).isNotEqualTo(serverId(firstEngine.data));
        assertThat(copiedEngine.observation(draft.id).end())
            .as("the container belongs to the other server")
            .isPresent();
        copiedEngine.engine.remove(draft.id);
      }
      assertThat(firstEngine.inspect(draft.id).getState().getRunning()).isTrue();
    }
    Files.move(directory.resolve("first"), moved);
    String originalId = serverId(moved);
    try (RealEngine movedEngine = new RealEngine(moved)) {
      assertThat(serverId(movedEngine.data)).isEqualTo(originalId);
    }
  }

  private static String serverId(Path data) throws IOException {
    return Files.readString(data.resolve("docker/id")).strip();
  }

  @Test
  void leftovers_withAnyName_areFoundByLabel() throws IOException {
    try (RealEngine engine = new RealEngine(createDirectory("first"))) {
      Draft knownTask = engine.task("sleep 300");
      knownTask.start();
      String ownId = serverId(engine.data);
      String unknownTask = createContainer(ownId, "01ARZ3NDEKTSV4RRFFQ69G5FAV.1.main.0");
      String sameTask = createContainer(ownId, knownTask.id.toString());
      String invalidTask = createContainer(ownId, "nonsense");
      String foreignContainer =
          createContainer("0123456789ab", "01ARZ3NDEKTSV4RRFFQ69G5FAV.1.main.0");
      try {
        engine.reopen();
        assertThat(containerIds())
            .contains(foreignContainer)
            .doesNotContain(unknownTask, sameTask, invalidTask);
        assertThat(engine.inspect(knownTask.id).getState().getRunning()).isTrue();
      } finally {
        TestImages.connection().client().removeContainerCmd(foreignContainer).exec();
      }
    }
  }

  private static String createContainer(String server, String task) {
    return TestImages.connection()
        .client()
        .createContainerCmd(TestImages.hostPrograms())
        .withLabels(Map.of(Labels.SERVER, server, Labels.TASK, task))
        .withCmd("true")
        .exec()
        .getId();
  }

  private static List<String> containerIds() {
    return TestImages.connection().client().listContainersCmd().withShowAll(true).exec().stream()
        .map(Container::getId)
        .toList();
  }
}
