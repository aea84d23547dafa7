package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Capacity;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.Isolation.Level;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalNodeTest {
  private static final Isolation NONE =
      new Isolation(Level.NONE, Level.NONE, Level.NONE, Level.NONE, Level.NONE);

  @TempDir private Path tools;

  @Test
  void describe_brokenTool_isAWarning() throws IOException {
    Path tool = Files.writeString(tools.resolve("nvidia-smi"), "#!/bin/sh\necho broken\nexit 9\n");
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
    LocalNode.Description found = LocalNode.describe(Optional.empty(), tools.toString(), NONE);
    assertThat(found.node().devices()).isEmpty();
    assertThat(found.warnings())
        .singleElement()
        .extracting(Message::english)
        .asString()
        .contains("nvidia-smi", "exit code 9", "broken");
    // Declared devices are not discovered.
    Optional<Capacity> declared = Optional.of(Capacity.parse("cpu=1,gpu:a100=1"));
    assertThat(LocalNode.describe(declared, tools.toString(), NONE).warnings()).isEmpty();
  }

  @Test
  void describe_noTools_noWarning() {
    assertThat(LocalNode.describe(Optional.empty(), "/nonexistent", NONE).warnings()).isEmpty();
  }
}
