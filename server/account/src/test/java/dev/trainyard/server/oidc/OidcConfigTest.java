package dev.trainyard.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.config.SettingsReader;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OidcConfigTest {
  @TempDir private Path directory;

  @Test
  void of_severalPublicUrls_linksUseTheFirst() {
    Map<String, String> settings =
        Map.of(
            "data", directory.toString(),
            "oidc-issuer", "https://id.example.org",
            "oidc-client-id", "trainyard",
            "public-url", "https://yard.example:6443,https://yard.example:7443");
    OidcConfig config = OidcConfig.of(SettingsReader.read(settings, Map.of())).orElseThrow();
    assertThat(config.publicUrl()).isEqualTo("https://yard.example:6443");
  }
}
