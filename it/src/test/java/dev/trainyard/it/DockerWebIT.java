package dev.trainyard.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people do on the page, where tasks are containers. */
class DockerWebIT extends NeedsDocker {
  @TempDir private Path directory;

  @Test
  void page_doesWhatPeopleNeed() throws Exception {
    WebFlows.install().run("docker", directory);
  }
}
