package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainSandboxMountPointsTest {
  @TempDir Path platform;

  @Test
  void createMountPoints_danglingLink() throws IOException {
    Path link = Files.createSymbolicLink(platform.resolve("code"), Path.of("/run/no-such-place"));
    PlainSandbox.createMountPoints(platform, Set.of("code/", "runtime.d/around.sh"));
    assertThat(Files.isDirectory(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
  }
}
