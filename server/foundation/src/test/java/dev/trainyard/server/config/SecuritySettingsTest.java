package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecuritySettingsTest {
  @TempDir Path directory;

  private Map<String, String> in(String... lines) throws Exception {
    Path file = directory.resolve("trainyard.conf");
    Files.write(file, List.of(lines));
    return SecuritySettings.readFrom(file);
  }

  @Test
  void in_settingsThatWeakenSecurity_areReported() throws Exception {
    assertThat(
            in(
                "host = 0.0.0.0",
                "port = 80",
                "unsafe-plain-processes = true",
                "trusted-proxies = 0.0.0.0/0",
                "rate-limit-user = off",
                "keep-jobs = 30d",
                "log-level = debug",
                "ldap-url = ldaps://evil\\u001b[2J"))
        .isEqualTo(
            Map.of(
                "host", "0.0.0.0",
                "unsafe-plain-processes", "true",
                "trusted-proxies", "0.0.0.0/0",
                "rate-limit-user", "off",
                "log-level", "debug",
                "ldap-url", "ldaps://evil?[2J"));
  }

  @Test
  void in_database_isReportedWithoutItsPassword() throws Exception {
    assertThat(in("db = jdbc:postgresql://h/d?user=u&password=hidden", "db-password-file = /f"))
        .isEqualTo(
            Map.of("db", "jdbc:postgresql://h/d?user=u&password=******", "db-password-file", "/f"));
  }

  @Test
  void in_defaults_areNotReported() throws Exception {
    assertThat(in("host = 127.0.0.1 ", "rate-limit-user=3000/m", "tls-cert =")).isEmpty();
  }

  @Test
  void in_missingOrInvalidFile_isEmpty() throws Exception {
    assertThat(SecuritySettings.readFrom(directory.resolve("none"))).isEmpty();
    assertThat(in("host = \\uXYZ")).isEmpty();
  }
}
