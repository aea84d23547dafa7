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

  private Path data(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  /** As after a restore of one server's backup by another: both know the same task. */
  @Test
  void sameTask_eachHasItsOwn() throws IOException {
    try (RealEngine first = new RealEngine(data("first"));
        RealEngine second = new RealEngine(data("second"))) {
      Draft ours = first.task("echo first; sleep 300");
      ours.volumes.add(new Volume(first.data.resolve("home"), "/userhome", Volume.Access.OWNED));
      Draft theirs = second.task("echo second; exit 3");
      theirs.id = ours.id;
      ours.start();
      assertThat(theirs.run().exitCode()).isEqualTo(3);
      RealEngine.await(() -> first.log(ours.id, "stdout").equals("first\n"));
      assertThat(second.log(theirs.id, "stdout")).isEqualTo("second\n");
      String network = first.inspect(ours.id).getHostConfig().getNetworkMode();
      assertThat(second.inspect(theirs.id).getHostConfig().getNetworkMode()).isNotEqualTo(network);

      second.reopen();
      second.engine.remove(theirs.id);
      second.engine.close();
      TestImages.removeNetworks(second.data);
      second.reopen();
      first.reopen();
      assertThat(first.observation(ours.id).end()).isEmpty();
      assertThat(first.inspect(ours.id).getState().getRunning()).isTrue();
      assertThat(TestImages.networks(first.data)).isNotEmpty();
    }
  }

  @Test
  void copyOfADataDirectory_isAnotherServer() throws Exception {
    Path moved = directory.resolve("moved");
    try (RealEngine first = new RealEngine(data("first"))) {
      Draft draft = first.task("sleep 300");
      draft.start();
      TestHost.run("mkdir", "-p", directory.resolve("copy").toString());
      for (String part : List.of("id", "id.place", "tasks")) {
        TestHost.run("mkdir", "-p", directory.resolve("copy/docker").toString());
        TestHost.run(
            "cp", "-a", first.data.resolve("docker/" + part) + "", directory + "/copy/docker/");
      }
      try (RealEngine copy = new RealEngine(directory.resolve("copy"))) {
        assertThat(number(copy.data)).isNotEqualTo(number(first.data));
        assertThat(copy.observation(draft.id).end()).as("is not here").isPresent();
        copy.engine.remove(draft.id);
      }
      assertThat(first.inspect(draft.id).getState().getRunning()).isTrue();
    }
    Files.move(directory.resolve("first"), moved);
    String before = number(moved);
    try (RealEngine same = new RealEngine(moved)) {
      assertThat(number(same.data)).isEqualTo(before);
    }
  }

  private static String number(Path data) throws IOException {
    return Files.readString(data.resolve("docker/id")).strip();
  }

  @Test
  void leftovers_areFoundByTheirLabelWhateverTheirName() throws IOException {
    try (RealEngine engine = new RealEngine(data("first"))) {
      Draft known = engine.task("sleep 300");
      known.start();
      String own = number(engine.data);
      String earlier = container(own, "01ARZ3NDEKTSV4RRFFQ69G5FAV.1.main.0");
      String sameTask = container(own, known.id.toString());
      String odd = container(own, "nonsense");
      String others = container("0123456789ab", "01ARZ3NDEKTSV4RRFFQ69G5FAV.1.main.0");
      try {
        engine.reopen();
        assertThat(ids()).contains(others).doesNotContain(earlier, sameTask, odd);
        assertThat(engine.inspect(known.id).getState().getRunning()).isTrue();
      } finally {
        TestImages.connection().client().removeContainerCmd(others).exec();
      }
    }
  }

  private static String container(String server, String task) {
    return TestImages.connection()
        .client()
        .createContainerCmd(TestImages.machine())
        .withLabels(Map.of(Labels.SERVER, server, Labels.TASK, task))
        .withCmd("true")
        .exec()
        .getId();
  }

  private static List<String> ids() {
    return TestImages.connection().client().listContainersCmd().withShowAll(true).exec().stream()
        .map(Container::getId)
        .toList();
  }
}
