package dev.trainyard.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The web page with tasks in containers. */
class DockerWebIT extends NeedsDocker {
  @TempDir private Path directory;

  @Test
  void page_allFlowsSucceed() throws Exception {
    WebFlows.install().run("docker", directory);
  }
}
