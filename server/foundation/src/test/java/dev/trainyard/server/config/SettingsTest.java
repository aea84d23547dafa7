package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Problem;
import dev.trainyard.server.limit.Rate;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
  @TempDir Path directory;

  /** Names and defaults that must not change, because users rely on them. */
  private static final List<List<String>> PROMISED =
      List.of(
          List.of("host", "TRAINYARD_HOST", "127.0.0.1"),
          List.of("port", "TRAINYARD_PORT", "9286"),
          List.of("data", "TRAINYARD_DATA", "~/.trainyard"),
          List.of("engine", "TRAINYARD_ENGINE", "auto"),
          List.of("db", "TRAINYARD_DB", ""),
          List.of("db-password-file", "TRAINYARD_DB_PASSWORD_FILE", ""),
          List.of("standby", "TRAINYARD_STANDBY", "false"),
          List.of("adopt-database", "TRAINYARD_ADOPT_DATABASE", "false"),
          List.of("capacity", "TRAINYARD_CAPACITY", ""),
          List.of("public-url", "TRAINYARD_PUBLIC_URL", ""),
          List.of("tls-cert", "TRAINYARD_TLS_CERT", ""),
          List.of("tls-key", "TRAINYARD_TLS_KEY", ""),
          List.of("trusted-proxies", "TRAINYARD_TRUSTED_PROXIES", ""),
          List.of("stop-grace", "TRAINYARD_STOP_GRACE", "30s"),
          List.of("task-ports", "TRAINYARD_TASK_PORTS", "20000-29999"),
          List.of("fixed-ports", "TRAINYARD_FIXED_PORTS", ""),
          List.of("job-ports", "TRAINYARD_JOB_PORTS", "1000"),
          List.of("docker-socket", "TRAINYARD_DOCKER_SOCKET", ""),
          List.of("docker-networks", "TRAINYARD_DOCKER_NETWORKS", "10.213.0.0/16"),
          List.of("publish-address", "TRAINYARD_PUBLISH_ADDRESS", ""),
          List.of("session-lifetime", "TRAINYARD_SESSION_LIFETIME", "7d"),
          List.of("exec-limit", "TRAINYARD_EXEC_LIMIT", "20"),
          List.of("rate-limit-user", "TRAINYARD_RATE_LIMIT_USER", "3000/m"),
          List.of("rate-limit-address", "TRAINYARD_RATE_LIMIT_ADDRESS", "6000/m"),
          List.of("rate-limit-submit", "TRAINYARD_RATE_LIMIT_SUBMIT", "3600/h"),
          List.of("rate-limit-list", "TRAINYARD_RATE_LIMIT_LIST", "600/m"),
          List.of("rate-limit-sign-in", "TRAINYARD_RATE_LIMIT_SIGN_IN", "600/h"),
          List.of("rate-limit-user-open", "TRAINYARD_RATE_LIMIT_USER_OPEN", "500"),
          List.of("rate-limit-address-open", "TRAINYARD_RATE_LIMIT_ADDRESS_OPEN", "1000"),
          List.of("openpai-literal-errors", "TRAINYARD_OPENPAI_LITERAL_ERRORS", "true"),
          List.of("user-limits", "TRAINYARD_USER_LIMITS", ""),
          List.of("log-limit", "TRAINYARD_LOG_LIMIT", "1GB"),
          List.of("keep-jobs", "TRAINYARD_KEEP_JOBS", "forever"),
          List.of("keep-logs", "TRAINYARD_KEEP_LOGS", "180d"),
          List.of("keep-logs-size", "TRAINYARD_KEEP_LOGS_SIZE", "100GB"),
          List.of("keep-events", "TRAINYARD_KEEP_EVENTS", "1000"),
          List.of("keep-audit", "TRAINYARD_KEEP_AUDIT", "forever"),
          List.of("image-pull", "TRAINYARD_IMAGE_PULL", "if-not-present"),
          List.of("build-limit", "TRAINYARD_BUILD_LIMIT", "2GB"),
          List.of("keep-images", "TRAINYARD_KEEP_IMAGES", "30d"),
          List.of("image-disk-low", "TRAINYARD_IMAGE_DISK_LOW", "10%,20GB"),
          List.of("disk-low", "TRAINYARD_DISK_LOW", "10%,5GB"),
          List.of("disk-critical", "TRAINYARD_DISK_CRITICAL", "1%,500MB"),
          List.of("log-format", "TRAINYARD_LOG_FORMAT", "auto"),
          List.of("log-level", "TRAINYARD_LOG_LEVEL", "info"),
          List.of("unsafe-plain-processes", "TRAINYARD_UNSAFE_PLAIN_PROCESSES", "false"),
          List.of("oidc-issuer", "TRAINYARD_OIDC_ISSUER", ""),
          List.of("oidc-client-id", "TRAINYARD_OIDC_CLIENT_ID", ""),
          List.of("oidc-client-secret-file", "TRAINYARD_OIDC_CLIENT_SECRET_FILE", ""),
          List.of("oidc-scopes", "TRAINYARD_OIDC_SCOPES", "openid profile email"),
          List.of("oidc-user-claim", "TRAINYARD_OIDC_USER_CLAIM", "preferred_username"),
          List.of("oidc-groups-claim", "TRAINYARD_OIDC_GROUPS_CLAIM", "groups"),
          List.of("oidc-create-users", "TRAINYARD_OIDC_CREATE_USERS", "true"),
          List.of("oidc-return-origins", "TRAINYARD_OIDC_RETURN_ORIGINS", ""),
          List.of("ldap-url", "TRAINYARD_LDAP_URL", ""),
          List.of("ldap-user-dn", "TRAINYARD_LDAP_USER_DN", ""),
          List.of("ldap-search-base", "TRAINYARD_LDAP_SEARCH_BASE", ""),
          List.of("ldap-search-filter", "TRAINYARD_LDAP_SEARCH_FILTER", "(uid={user})"),
          List.of("ldap-bind-dn", "TRAINYARD_LDAP_BIND_DN", ""),
          List.of("ldap-bind-password-file", "TRAINYARD_LDAP_BIND_PASSWORD_FILE", ""),
          List.of("ldap-groups-attribute", "TRAINYARD_LDAP_GROUPS_ATTRIBUTE", "memberOf"),
          List.of("ldap-create-users", "TRAINYARD_LDAP_CREATE_USERS", "true"),
          List.of("config", "TRAINYARD_CONFIG", ""));

  @Test
  void all_namesVariablesAndDefaults() {
    assertThat(
            Settings.ALL.stream()
                .map(s -> List.of(s.name(), s.environmentVariable(), s.defaultText()))
                .toList())
        .isEqualTo(PROMISED);
  }

  @Test
  void all_describedInBothLanguages() {
    for (Setting<?> setting : Settings.ALL) {
      for (Messages messages : List.of(Messages.ENGLISH, Messages.CHINESE)) {
        assertThat(messages.codes())
            .contains("config.setting." + setting.name(), setting.expected());
      }
    }
  }

  @Test
  void read_nothingGiven() {
    Settings settings = SettingsReader.read(Map.of("data", directory.toString()), Map.of());
    assertThat(settings.value(Settings.PORT)).isEqualTo(9286);
    assertThat(settings.value(Settings.DATA)).isEqualTo(directory);
    assertThat(settings.value(Settings.PUBLIC_URL)).isEmpty();
    assertThat(Parsers.webAddresses("https://a.example:6443, https://a.example:7443"))
        .containsExactly(
            java.net.URI.create("https://a.example:6443"),
            java.net.URI.create("https://a.example:7443"));
    assertThat(settings.value(Settings.STOP_GRACE)).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.value(Settings.SESSION_LIFETIME)).isEqualTo(Duration.ofDays(7));
    assertThat(settings.value(Settings.LOG_LIMIT)).isEqualTo(new DataSize(1L << 30));
  }

  @ParameterizedTest
  @ValueSource(strings = {"off", "0"})
  void read_noRateLimit(String none) {
    Settings settings =
        SettingsReader.read(
            Map.of("data", directory.toString(), "rate-limit-user", none), Map.of());
    assertThat(settings.value(Settings.RATE_LIMIT_USER)).isEmpty();
    assertThat(settings.value(Settings.RATE_LIMIT_SUBMIT))
        .contains(new Rate(3600, Duration.ofHours(1)));
  }

  @Test
  void read_optionBeforeEnvironmentBeforeFile() throws Exception {
    Files.writeString(directory.resolve("trainyard.conf"), "port = 1\nhost = a\nlog-level=warn\n");
    Map<String, String> environment =
        Map.of(
            "TRAINYARD_DATA", directory.toString(), "TRAINYARD_PORT", "2", "TRAINYARD_HOST", "b");
    Settings settings = SettingsReader.read(Map.of("port", "3"), environment);
    assertThat(settings.value(Settings.PORT)).isEqualTo(3);
    assertThat(settings.value(Settings.HOST)).isEqualTo("b");
    assertThat(settings.value(Settings.LOG_LEVEL)).isEqualTo("warn");
  }

  @Test
  void read_namedFileInsteadOfTheDefault() throws Exception {
    Files.writeString(directory.resolve("trainyard.conf"), "port = 1\n");
    Path other = Files.writeString(directory.resolve("other.conf"), "host = c\n");
    Settings settings =
        SettingsReader.read(
            Map.of("data", directory.toString(), "config", other.toString()), Map.of());
    assertThat(settings.value(Settings.PORT)).isEqualTo(9286);
    assertThat(settings.value(Settings.HOST)).isEqualTo("c");
  }

  @Test
  void read_reportsAllProblems() throws Exception {
    Path file =
        Files.writeString(directory.resolve("trainyard.conf"), "prot = 1\nlog-limit = many\n");
    assertThatThrownBy(
            () ->
                SettingsReader.read(
                    Map.of("data", directory.toString(), "port", "70000", "nonsense", "1"),
                    Map.of("TRAINYARD_ENGINE", "steam", "TRAINYARD_CAPACITY", "cpu=0,ram=1")))
        .isInstanceOfSatisfying(
            AppException.class,
            e ->
                assertThat(e.problems())
                    .extracting(Problem::path)
                    .containsExactlyInAnyOrder(
                        "--port",
                        "TRAINYARD_ENGINE",
                        "TRAINYARD_CAPACITY",
                        "TRAINYARD_CAPACITY",
                        file + ": log-limit",
                        "--nonsense",
                        file + ": prot"));
  }

  @Test
  void read_repeatedKeyInTheFile_namesBothLines() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("trainyard.conf"),
            """
            # public-url = http://c\\
            public-url = http://a

            host = \\
              b
            public-url=http://b
            """);
    assertThatThrownBy(() -> SettingsReader.read(Map.of("data", directory.toString()), Map.of()))
        .isInstanceOfSatisfying(
            AppException.class,
            e ->
                assertThat(e.problems())
                    .extracting(problem -> problem.path() + " " + problem.message().english())
                    .containsExactly(
                        file
                            + ": public-url is set in line 2 and again in line 6: keep one of the"
                            + " lines, and separate several values by commas"));
  }

  @Test
  void read_severalUrlsInOneLineOfTheFile() throws Exception {
    Files.writeString(
        directory.resolve("trainyard.conf"), "public-url = http://a, \\\n  https://b\n");
    Settings settings = SettingsReader.read(Map.of("data", directory.toString()), Map.of());
    assertThat(settings.value(Settings.PUBLIC_URL))
        .containsExactly(URI.create("http://a"), URI.create("https://b"));
  }

  @Test
  void read_namedFileMissing() {
    assertThatThrownBy(
            () ->
                SettingsReader.read(
                    Map.of("config", directory.resolve("none").toString()), Map.of()))
        .isInstanceOfSatisfying(AppException.class, e -> assertThat(e.problems()).hasSize(1));
  }

  @Test
  void read_keyWithoutCertificate() throws Exception {
    Path key = Files.writeString(directory.resolve("key.pem"), "");
    assertThatThrownBy(
            () ->
                SettingsReader.read(
                    Map.of("data", directory.toString(), "tls-key", key.toString()), Map.of()))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> assertThat(e.problems()).extracting(Problem::path).containsExactly("tls-cert"));
  }

  @ParameterizedTest
  @CsvSource({
    "port, -1",
    "port, x",
    "host, a b",
    "engine, Auto",
    "public-url, ftp://x",
    "public-url, x",
    "trusted-proxies, a.b",
    "log-format, xml",
    "log-limit, 5 parsecs",
    "log-limit, -1",
    "stop-grace, 1y",
    "keep-jobs, 0d",
    "keep-jobs, always",
    "keep-logs-size, lots",
    "disk-low, 100%",
    "disk-low, -1%",
    "disk-critical, '1%,2%'",
    "disk-critical, ''",
    "rate-limit-user, -1",
    "rate-limit-user, 0/m",
    "rate-limit-user, 10",
    "rate-limit-submit, 5/y",
    "rate-limit-list, ''",
    "rate-limit-user-open, many",
    "session-lifetime, 0s",
    "session-lifetime, 999999999999999d",
    "oidc-issuer, id.example.org",
    "oidc-issuer, https://id.example.org?a=b",
    "oidc-create-users, maybe",
    "oidc-return-origins, https://a.example.org/path",
    "oidc-return-origins, 'https://a.example.org,b'",
    "oidc-return-origins, https://a@b.example.org",
    "ldap-url, https://ldap.example.org",
    "ldap-url, ldap.example.org",
    "ldap-url, 'ldap://ldap.example.org/dc=example'",
    "ldap-create-users, maybe",
    "unsafe-plain-processes, maybe",
    "data, ''"
  })
  void read_badValue(String name, String value) {
    assertThatThrownBy(() -> SettingsReader.read(Map.of(name, value), Map.of()))
        .isInstanceOfSatisfying(
            AppException.class,
            e -> assertThat(e.problems()).extracting(Problem::path).containsExactly("--" + name));
  }

  @Test
  void read_dockerSocketAsInDockerHost_isItsPath() {
    Settings settings =
        SettingsReader.read(Map.of("docker-socket", "unix:///run/docker.sock"), Map.of());
    assertThat(settings.value(Settings.DOCKER_SOCKET)).contains(Path.of("/run/docker.sock"));
  }

  @ParameterizedTest
  @CsvSource({
    "rwxr-xr-x, rw-r--r--, true",
    "rwxr-xr-x, rw-r-----, true",
    "rwxr-xr-x, rw-------, false",
    "rwx------, rw-r--r--, false"
  })
  void file_passwordInTheUrl_othersMustNotReadIt(String parent, String mode, boolean isRejected)
      throws Exception {
    Path folder = Files.createDirectory(directory.resolve("etc"));
    Path file = folder.resolve("trainyard.conf");
    Files.writeString(file, "db = jdbc:postgresql://h/d?user=u&password=hidden\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(parent));
    Map<String, String> options =
        Map.of("config", file.toString(), "data", directory.resolve("data").toString());
    if (isRejected) {
      assertThatThrownBy(() -> SettingsReader.read(options, Map.of()))
          .isInstanceOfSatisfying(
              AppException.class,
              e ->
                  assertThat(e.problems().getFirst().message().english())
                      .contains(file.toString(), "chmod 600", "db-password-file")
                      .doesNotContain("hidden"));
    } else {
      assertThat(SettingsReader.read(options, Map.of()).value(Settings.DB)).contains("hidden");
    }
    Files.writeString(file, "db = jdbc:postgresql://h/d?user=u\n");
    assertThat(SettingsReader.read(options, Map.of()).value(Settings.DB)).endsWith("user=u");
  }
}
