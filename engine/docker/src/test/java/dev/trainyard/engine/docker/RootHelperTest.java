package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.model.Container;
import dev.trainyard.engine.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the containers of root helpers while the server shuts down. */
class RootHelperTest {
  /** Delays of interrupts, chosen so that they hit every step of a start. */
  private static final List<Integer> MILLIS = List.of(1, 20, 60, 120, 200, 400);

  @TempDir Path directory;
  private DockerConnection connection;
  private Path data;
  private Path tree;
  private Labels labels;

  @BeforeEach
  void setUp() throws IOException {
    connection = TestImages.connection();
    data = directory.toRealPath();
    tree = Files.createDirectories(data.resolve("home/alice"));
    labels = Labels.claim(Files.createDirectories(data.resolve("docker")));
  }

  private RootHelper open() throws IOException {
    HostPrograms hostPrograms = new HostPrograms("/usr/sbin:/usr/bin:/sbin:/bin");
    ServerAccount server = ServerAccount.own();
    return new RootHelper(
        new RootHelperContainer(connection, labels, data, server, hostPrograms), data);
  }

  private List<String> containers() {
    return connection
        .client()
        .listContainersCmd()
        .withShowAll(true)
        .withLabelFilter(labels.keeper())
        .exec()
        .stream()
        .map(Container::getId)
        .toList();
  }

  private Thread deletion(RootHelper rootHelper) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                rootHelper.giveTree(tree);
              } catch (IOException | EngineException e) {
                // Interrupted or closed.
              }
            });
  }

  @Test
  void close_afterInterruptedRequests_leavesNoContainer() throws Exception {
    try (RootHelper rootHelper = open()) {
      for (int millis : MILLIS) {
        Thread deletion = deletion(rootHelper);
        deletion.join(millis);
        deletion.interrupt();
        deletion.join();
      }
    }
    assertThat(containers()).isEmpty();
  }

  @Test
  void close_duringRequests_leavesNoContainer() throws Exception {
    for (int millis : List.of(1, 200)) {
      List<Thread> deletions;
      try (RootHelper rootHelper = open()) {
        deletions = List.of(deletion(rootHelper), deletion(rootHelper));
        deletions.getFirst().join(millis);
      }
      assertThat(containers()).isEmpty();
      for (Thread deletion : deletions) {
        deletion.join();
      }
      assertThat(containers()).isEmpty();
    }
  }
}
