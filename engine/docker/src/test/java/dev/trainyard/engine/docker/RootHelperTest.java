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
  private static final List<Integer> INTERRUPT_DELAYS_MILLIS = List.of(1, 20, 60, 120, 200, 400);

  @TempDir Path directory;
  private DockerConnection connection;
  private Path dataDirectory;
  private Path tree;
  private Labels labels;

  @BeforeEach
  void setUp() throws IOException {
    connection = TestImages.connection();
    dataDirectory = directory.toRealPath();
    tree = Files.createDirectories(dataDirectory.resolve("home/alice"));
    labels = Labels.claim(Files.createDirectories(dataDirectory.resolve("docker")));
  }

  private RootHelper open() throws IOException {
    HostPrograms hostPrograms = new HostPrograms("/usr/sbin:/usr/bin:/sbin:/bin");
    ServerAccount server = ServerAccount.current();
    return new RootHelper(
        new RootHelperContainer(connection, labels, dataDirectory, server, hostPrograms),
        dataDirectory);
  }

  private List<String> containers() {
    return connection
        .client()
        .listContainersCmd()
        .withShowAll(true)
        .withLabelFilter(labels.rootHelperLabels())
        .exec()
        .stream()
        .map(Container::getId)
        .toList();
  }

  private Thread startDeletion(RootHelper rootHelper) {
    return Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                rootHelper.deleteTree(tree);
              } catch (IOException | EngineException e) {
                // Interrupted or closed.
              }
            });
  }

  @Test
  void close_afterInterruptedRequests_leavesNoContainer() throws Exception {
    try (RootHelper rootHelper = open()) {
      for (int millis : INTERRUPT_DELAYS_MILLIS) {
        Thread thread = startDeletion(rootHelper);
        thread.join(millis);
        thread.interrupt();
        thread.join();
      }
    }
    assertThat(containers()).isEmpty();
  }

  @Test
  void close_duringRequests_leavesNoContainer() throws Exception {
    for (int millis : List.of(1, 200)) {
      List<Thread> deletions;
      try (RootHelper rootHelper = open()) {
        deletions = List.of(startDeletion(rootHelper), startDeletion(rootHelper));
        deletions.getFirst().join(millis);
      }
      assertThat(containers()).isEmpty();
      for (Thread thread : deletions) {
        thread.join();
      }
      assertThat(containers()).isEmpty();
    }
  }
}
