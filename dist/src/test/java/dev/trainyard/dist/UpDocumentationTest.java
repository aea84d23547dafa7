package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.config.Setting;
import dev.trainyard.server.config.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class UpDocumentationTest {
  @Test
  void page_everySetting_isMentioned() throws IOException {
    String page = Files.readString(Path.of("../docs/cli.md"));
    for (Setting<?> setting : Settings.ALL) {
      assertThat(page).contains("`--" + setting.name()).contains(setting.environmentVariable());
    }
  }
}
