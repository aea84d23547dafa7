package dev.trainyard.server.config;

import dev.trainyard.engine.Capacity;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.PortRange;
import dev.trainyard.server.http.TrustedProxies;
import dev.trainyard.server.limit.Rate;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All settings of a server. This class declares the settings; {@link SettingsReader} reads their
 * values.
 */
public final class Settings {
  public static final Setting<String> HOST =
      new Setting<>("host", "127.0.0.1", Parsers::host, "config.expected.host");
  public static final Setting<Integer> PORT =
      new Setting<>("port", "9286", Parsers::port, "config.expected.port");
  public static final Setting<Path> DATA =
      new Setting<>("data", "~/.trainyard", Parsers::path, "config.expected.path");
  public static final Setting<String> ENGINE =
      new Setting<>(
          "engine",
          "auto",
          Parsers.oneOf("auto", "process", "docker", "podman", "kubernetes"),
          "config.expected.engine");
  public static final Setting<String> DB =
      new Setting<>("db", "", text -> text, "config.expected.db");
  public static final Setting<Optional<Path>> DB_PASSWORD_FILE =
      new Setting<>(
          "db-password-file", "", Parsers.optional(Parsers::path), "config.expected.path");
  public static final Setting<Boolean> STANDBY =
      new Setting<>("standby", "false", Parsers::flag, Setting.FLAG);
  public static final Setting<Boolean> ADOPT_DATABASE =
      new Setting<>("adopt-database", "false", Parsers::flag, Setting.FLAG);
  public static final Setting<Optional<Capacity>> CAPACITY =
      new Setting<>("capacity", "", Parsers.optional(Capacity::parse), "config.expected.capacity");

  /**
   * The first URL is used in links. Requests of web pages are accepted from the origins of all of
   * these URLs.
   */
  public static final Setting<List<URI>> PUBLIC_URL =
      new Setting<>("public-url", "", Parsers::webAddresses, Setting.WEB_ADDRESSES);

  public static final Setting<Optional<Path>> TLS_CERT =
      new Setting<>("tls-cert", "", Parsers.optional(Parsers::path), "config.expected.path");
  public static final Setting<Optional<Path>> TLS_KEY =
      new Setting<>("tls-key", "", Parsers.optional(Parsers::path), "config.expected.path");
  public static final Setting<TrustedProxies> TRUSTED_PROXIES =
      new Setting<>(
          "trusted-proxies", "", TrustedProxies::parse, "config.expected.trusted-proxies");
  public static final Setting<String> LOG_FORMAT =
      new Setting<>(
          "log-format",
          "auto",
          Parsers.oneOf("auto", "text", "json"),
          "config.expected.log-format");
  public static final Setting<String> LOG_LEVEL =
      new Setting<>(
          "log-level",
          "info",
          Parsers.oneOf("error", "warn", "info", "debug"),
          "config.expected.log-level");
  public static final Setting<DataSize> LOG_LIMIT =
      new Setting<>("log-limit", "1GB", Parsers::size, "config.expected.size");
  public static final Setting<Duration> STOP_GRACE =
      new Setting<>("stop-grace", "30s", Parsers::duration, "config.expected.duration");
  public static final Setting<PortRange> TASK_PORTS =
      new Setting<>("task-ports", "20000-29999", PortRange::parse, "config.expected.port-range");
  public static final Setting<Optional<PortRange>> FIXED_PORTS =
      new Setting<>(
          "fixed-ports", "", Parsers.optional(PortRange::parse), "config.expected.port-range");
  public static final Setting<Integer> JOB_PORTS =
      new Setting<>(
          "job-ports", "1000", Parsers::positiveNumber, "config.expected.positive-number");
  public static final Setting<Optional<Path>> DOCKER_SOCKET =
      new Setting<>(
          "docker-socket", "", Parsers.optional(Parsers::socketPath), "config.expected.path");
  public static final Setting<String> DOCKER_NETWORKS =
      new Setting<>(
          "docker-networks", "10.213.0.0/16", Parsers::network4, "config.expected.network4");
  public static final Setting<List<String>> PUBLISH_ADDRESS =
      new Setting<>("publish-address", "", Parsers::addresses, "config.expected.addresses");
  public static final Setting<Duration> SESSION_LIFETIME =
      new Setting<>(
          "session-lifetime", "7d", Parsers::positiveDuration, "config.expected.duration");
  public static final Setting<Boolean> UNSAFE_PLAIN_PROCESSES =
      new Setting<>("unsafe-plain-processes", "false", Parsers::flag, Setting.FLAG);
  public static final Setting<Integer> EXEC_LIMIT =
      new Setting<>("exec-limit", "20", Parsers::positiveNumber, "config.expected.positive-number");
  public static final Setting<Optional<Rate>> RATE_LIMIT_USER = rateLimit("user", "3000/m");
  public static final Setting<Optional<Rate>> RATE_LIMIT_ADDRESS = rateLimit("address", "6000/m");
  public static final Setting<Optional<Rate>> RATE_LIMIT_SUBMIT = rateLimit("submit", "3600/h");
  public static final Setting<Optional<Rate>> RATE_LIMIT_LIST = rateLimit("list", "600/m");
  public static final Setting<Optional<Rate>> RATE_LIMIT_SIGN_IN = rateLimit("sign-in", "600/h");
  public static final Setting<Optional<Integer>> RATE_LIMIT_USER_OPEN =
      concurrencyLimit("user", "500");
  public static final Setting<Optional<Integer>> RATE_LIMIT_ADDRESS_OPEN =
      concurrencyLimit("address", "1000");
  public static final Setting<Boolean> OPENPAI_LITERAL_ERRORS =
      new Setting<>("openpai-literal-errors", "true", Parsers::flag, Setting.FLAG);
  public static final Setting<Optional<Duration>> KEEP_JOBS =
      new Setting<>(
          "keep-jobs",
          "forever",
          Parsers.unless("forever", Parsers::positiveDuration),
          "config.expected.keep");
  public static final Setting<Optional<Duration>> KEEP_LOGS =
      new Setting<>(
          "keep-logs",
          "180d",
          Parsers.unless("forever", Parsers::positiveDuration),
          "config.expected.keep");
  public static final Setting<Optional<DataSize>> KEEP_LOGS_SIZE =
      new Setting<>(
          "keep-logs-size",
          "100GB",
          Parsers.unless("unlimited", Parsers::size),
          "config.expected.keep-size");
  public static final Setting<String> IMAGE_PULL =
      new Setting<>(
          "image-pull",
          "if-not-present",
          Parsers.oneOf("if-not-present", "always", "never"),
          "config.expected.image-pull");
  public static final Setting<DataSize> BUILD_LIMIT =
      new Setting<>("build-limit", "2GB", Parsers::size, "config.expected.size");
  public static final Setting<Optional<Duration>> KEEP_IMAGES =
      new Setting<>(
          "keep-images",
          "30d",
          Parsers.unless("forever", Parsers::positiveDuration),
          "config.expected.keep");
  public static final Setting<DiskThreshold> IMAGE_DISK_LOW =
      new Setting<>("image-disk-low", "10%,20GB", DiskThreshold::parse, "config.expected.disk");
  public static final Setting<Integer> KEEP_EVENTS =
      new Setting<>(
          "keep-events", "1000", Parsers::positiveNumber, "config.expected.positive-number");
  public static final Setting<Optional<Duration>> KEEP_AUDIT =
      new Setting<>(
          "keep-audit",
          "forever",
          Parsers.unless("forever", Parsers::positiveDuration),
          "config.expected.keep");
  public static final Setting<DiskThreshold> DISK_LOW =
      new Setting<>("disk-low", "10%,5GB", DiskThreshold::parse, "config.expected.disk");
  public static final Setting<DiskThreshold> DISK_CRITICAL =
      new Setting<>("disk-critical", "1%,500MB", DiskThreshold::parse, "config.expected.disk");
  public static final Setting<Map<String, Long>> USER_LIMITS =
      new Setting<>(
          "user-limits",
          "",
          Parsers.limits(
              "runningJobs",
              "cpus",
              "memoryMB",
              "devices",
              "unfinishedJobs",
              "unfinishedTasks",
              "unfinishedFilesMB"),
          "config.expected.user-limits");
  public static final Setting<String> OIDC_ISSUER =
      new Setting<>("oidc-issuer", "", Parsers::exactAddress, "config.expected.public-url");
  public static final Setting<String> OIDC_CLIENT_ID =
      new Setting<>("oidc-client-id", "", Parsers::line, "config.expected.text");
  public static final Setting<Optional<Path>> OIDC_CLIENT_SECRET_FILE =
      new Setting<>(
          "oidc-client-secret-file", "", Parsers.optional(Parsers::path), "config.expected.path");
  public static final Setting<String> OIDC_SCOPES =
      new Setting<>("oidc-scopes", "openid profile email", Parsers::line, "config.expected.text");
  public static final Setting<String> OIDC_USER_CLAIM =
      new Setting<>("oidc-user-claim", "preferred_username", Parsers::line, "config.expected.text");
  public static final Setting<String> OIDC_GROUPS_CLAIM =
      new Setting<>("oidc-groups-claim", "groups", Parsers::line, "config.expected.text");
  public static final Setting<String> OIDC_CREATE_USERS =
      new Setting<>(
          "oidc-create-users",
          "true",
          Parsers.oneOf("true", "approval", "false"),
          "config.expected.create-users");
  public static final Setting<List<String>> OIDC_RETURN_ORIGINS =
      new Setting<>("oidc-return-origins", "", Parsers::origins, "config.expected.origins");
  public static final Setting<Optional<URI>> LDAP_URL =
      new Setting<>(
          "ldap-url", "", Parsers.optional(Parsers::directoryAddress), "config.expected.ldap-url");
  public static final Setting<String> LDAP_USER_DN =
      new Setting<>("ldap-user-dn", "", Parsers::line, "config.expected.text");
  public static final Setting<String> LDAP_SEARCH_BASE =
      new Setting<>("ldap-search-base", "", Parsers::line, "config.expected.text");
  public static final Setting<String> LDAP_SEARCH_FILTER =
      new Setting<>("ldap-search-filter", "(uid={user})", Parsers::line, "config.expected.text");
  public static final Setting<String> LDAP_BIND_DN =
      new Setting<>("ldap-bind-dn", "", Parsers::line, "config.expected.text");
  public static final Setting<Optional<Path>> LDAP_BIND_PASSWORD_FILE =
      new Setting<>(
          "ldap-bind-password-file", "", Parsers.optional(Parsers::path), "config.expected.path");
  public static final Setting<String> LDAP_GROUPS_ATTRIBUTE =
      new Setting<>("ldap-groups-attribute", "memberOf", Parsers::line, "config.expected.text");
  public static final Setting<String> LDAP_CREATE_USERS =
      new Setting<>(
          "ldap-create-users",
          "true",
          Parsers.oneOf("true", "approval", "false"),
          "config.expected.create-users");
  public static final Setting<Optional<Path>> CONFIG =
      new Setting<>("config", "", Parsers.optional(Parsers::path), "config.expected.path");

  /** All settings, in the order of the help text. */
  public static final List<Setting<?>> ALL =
      List.of(
          HOST,
          PORT,
          DATA,
          ENGINE,
          DB,
          DB_PASSWORD_FILE,
          STANDBY,
          ADOPT_DATABASE,
          CAPACITY,
          PUBLIC_URL,
          TLS_CERT,
          TLS_KEY,
          TRUSTED_PROXIES,
          STOP_GRACE,
          TASK_PORTS,
          FIXED_PORTS,
          JOB_PORTS,
          DOCKER_SOCKET,
          DOCKER_NETWORKS,
          PUBLISH_ADDRESS,
          SESSION_LIFETIME,
          EXEC_LIMIT,
          RATE_LIMIT_USER,
          RATE_LIMIT_ADDRESS,
          RATE_LIMIT_SUBMIT,
          RATE_LIMIT_LIST,
          RATE_LIMIT_SIGN_IN,
          RATE_LIMIT_USER_OPEN,
          RATE_LIMIT_ADDRESS_OPEN,
          OPENPAI_LITERAL_ERRORS,
          USER_LIMITS,
          LOG_LIMIT,
          KEEP_JOBS,
          KEEP_LOGS,
          KEEP_LOGS_SIZE,
          KEEP_EVENTS,
          KEEP_AUDIT,
          IMAGE_PULL,
          BUILD_LIMIT,
          KEEP_IMAGES,
          IMAGE_DISK_LOW,
          DISK_LOW,
          DISK_CRITICAL,
          LOG_FORMAT,
          LOG_LEVEL,
          UNSAFE_PLAIN_PROCESSES,
          OIDC_ISSUER,
          OIDC_CLIENT_ID,
          OIDC_CLIENT_SECRET_FILE,
          OIDC_SCOPES,
          OIDC_USER_CLAIM,
          OIDC_GROUPS_CLAIM,
          OIDC_CREATE_USERS,
          OIDC_RETURN_ORIGINS,
          LDAP_URL,
          LDAP_USER_DN,
          LDAP_SEARCH_BASE,
          LDAP_SEARCH_FILTER,
          LDAP_BIND_DN,
          LDAP_BIND_PASSWORD_FILE,
          LDAP_GROUPS_ATTRIBUTE,
          LDAP_CREATE_USERS,
          CONFIG);

  private final Map<Setting<?>, Object> values;

  private final Map<Setting<?>, RawValue> rawValues;

  Settings(Map<Setting<?>, Object> values, Map<Setting<?>, RawValue> rawValues) {
    this.values = Map.copyOf(values);
    this.rawValues = Map.copyOf(rawValues);
  }

  /** The source of the value of a setting. */
  public enum Source {
    DEFAULT,
    FILE,
    ENVIRONMENT,
    OPTION
  }

  /** The text of a setting before it is parsed, and its source. */
  public record RawValue(String text, Source source) {}

  public RawValue rawValue(Setting<?> setting) {
    return rawValues.get(setting);
  }

  private static Setting<Optional<Rate>> rateLimit(String name, String count) {
    return new Setting<>(
        "rate-limit-" + name, count, Parsers.unlessOff(Rate::parse), "config.expected.rate");
  }

  private static Setting<Optional<Integer>> concurrencyLimit(String scope, String count) {
    return new Setting<>(
        "rate-limit-" + scope + "-open",
        count,
        Parsers.unlessOff(Parsers::positiveNumber),
        "config.expected.positive-number-or-off");
  }

  /** Returns the value of a setting, or its default if it is not specified. */
  @SuppressWarnings("unchecked") // the reader stores only results of the parser of the setting
  public <T> T value(Setting<T> setting) {
    return (T) values.get(setting);
  }
}
