package dev.trainyard.engine.docker;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.EngineContract;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Runs the contract tests at Podman's compatible socket. */
class PodmanEngineTest extends EngineContract {
  private static DockerConnection podman;
  private static String image;

  @BeforeAll
  static void openPodman() {
    podman = Podman.connection();
    image = TestImages.hostPrograms(podman.client());
  }

  @AfterAll
  static void closePodman() {
    if (podman != null) {
      podman.client().removeImageCmd(image).withForce(true).exec();
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
        DockerEngineConfig.of(data, podman, Optional.empty()).withNetworks(Podman.NETWORKS));
  }

  @Override
  protected void deleteData(Path data) {
    TestImages.removeNetworks(podman.client(), data);
  }
}
