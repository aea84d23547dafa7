package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Verifies that docs/configuration.md lists every setting with its variable and default. */
class ConfigurationDocumentTest {
  @Test
  void document_listsEverySetting() throws IOException {
    String document = Files.readString(Path.of("../../docs/configuration.md"));
    for (Setting<?> setting : Settings.ALL) {
      String row =
          document
              .lines()
              .filter(line -> line.startsWith("| `--") && line.contains("`--" + setting + "`"))
              .findFirst()
              .orElseThrow(() -> new AssertionError("no row for --" + setting));
      assertThat(row).contains("`" + setting.environmentVariable() + "`");
      String shown = setting.defaultText().isEmpty() ? "empty" : setting.defaultText();
      assertThat(row).contains(shown);
    }
  }
}
