package dev.trainyard.engine.docker;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.EngineContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same contract at Podman's compatible socket. */
class PodmanEngineTest extends EngineContract {
  private static Podman podman;
  private static String image;

  @BeforeAll
  static void startPodman() throws IOException {
    podman = Podman.start();
    image = TestImages.machine(podman.connection().client());
  }

  @AfterAll
  static void stopPodman() throws IOException {
    if (podman != null) {
      podman.close();
    }
  }

  @Override
  protected String image() {
    return image;
  }

  @Override
  protected Engine open(Path data) {
    return new DockerEngine(
        DockerEngineConfig.of(data, podman.connection(), Optional.empty())
            .withNetworks(Podman.NETWORKS));
  }

  @Override
  protected void clearAway(Path data) {
    TestImages.removeNetworks(podman.connection().client(), data);
  }
}
