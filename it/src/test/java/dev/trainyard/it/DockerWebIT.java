package dev.trainyard.it;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Runs the browser flows with tasks in containers. */
class DockerWebIT extends NeedsDocker {
  private static WebFlows flows;

  @TempDir private Path directory;

  @BeforeAll
  static void install() throws Exception {
    flows = WebFlows.install();
  }

  @TestFactory
  Stream<DynamicTest> page_flow() throws Exception {
    return flows.start("docker", directory);
  }
}
