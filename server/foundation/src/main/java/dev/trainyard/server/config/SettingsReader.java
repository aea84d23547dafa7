package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the value of every setting. An option takes precedence over an environment variable, a
 * variable over the settings file, and the file over the default. All problems are reported
 * together.
 */
public final class SettingsReader {
  private final Map<String, String> options;
  private final Map<String, String> environment;
  private final Map<Setting<?>, Object> values = new HashMap<>();
  private final Map<Setting<?>, Settings.RawValue> rawValues = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private SettingsFile file = SettingsFile.empty();
  private String fileName = "";

  private SettingsReader(Map<String, String> options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /**
   * @param options values by option name without dashes
   */
  public static Settings read(Map<String, String> options, Map<String, String> environment) {
    return new SettingsReader(options, environment).read();
  }

  private Settings read() {
    readFile();
    for (Setting<?> setting : Settings.ALL) {
      parse(setting);
    }
    reportUnknown();
    reportRepeated();
    addDatabasePassword();
    Settings settings = problems.isEmpty() ? new Settings(values, rawValues) : null;
    if (settings != null) {
      checkCombinations(settings);
    }
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.invalid", "count", problems.size()), problems);
    }
    return settings;
  }

  /**
   * Reads the settings file. A file specified by the setting {@code config} must exist; the file in
   * the data directory is optional.
   */
  private void readFile() {
    Optional<Path> configuredPath = parse(Settings.CONFIG);
    Path path =
        configuredPath.orElseGet(
            () ->
                Optional.ofNullable(parse(Settings.DATA))
                    .orElse(Path.of(""))
                    .resolve("trainyard.conf"));
    if (configuredPath.isEmpty() && !Files.exists(path)) {
      return;
    }
    fileName = path.toString();
    try {
      file = SettingsFile.read(path);
      if (DatabasePassword.isIn(file.entries().getProperty(Settings.DB.name(), ""))
          && DatabasePassword.isSettingsFileOpen(path)) {
        addProblem(
            fileName + ": " + Settings.DB.name(), Message.of("config.db-open", "file", fileName));
      }
    } catch (IOException | IllegalArgumentException e) {
      addProblem(fileName, Message.of("config.file-unreadable", "detail", e.toString()));
    }
  }

  private <T> T parse(Setting<T> setting) {
    String location = "--" + setting.name();
    Settings.Source source = Settings.Source.OPTION;
    String text = options.get(setting.name());
    if (text == null) {
      location = setting.environmentVariable();
      source = Settings.Source.ENVIRONMENT;
      text = environment.get(location);
    }
    if (text == null) {
      location = fileName + ": " + setting.name();
      source = Settings.Source.FILE;
      text = file.entries().getProperty(setting.name());
    }
    if (text == null) {
      location = setting.name();
      source = Settings.Source.DEFAULT;
      text = setting.defaultText();
    }
    try {
      T value = setting.parser().apply(text.strip());
      values.put(setting, value);
      rawValues.put(setting, new Settings.RawValue(text, source));
      return value;
    } catch (IllegalArgumentException e) {
      addProblem(
          location,
          Message.of("config.bad-value", "value", text)
              .with("expected", Message.of(setting.expected())));
      return null;
    } catch (AppException e) {
      // A parser that finds several problems reports them itself.
      for (Problem reportedProblem : e.problems()) {
        addProblem(location, reportedProblem.message());
      }
      return null;
    }
  }

  /**
   * Adds the password from the password file to the database URL; the raw value of the URL remains
   * without the password.
   */
  private void addDatabasePassword() {
    if (values.get(Settings.DB_PASSWORD_FILE) instanceof Optional<?> optional
        && optional.orElse(null) instanceof Path passwordFile
        && values.get(Settings.DB) instanceof String url) {
      try {
        values.put(Settings.DB, DatabasePassword.addTo(url, passwordFile));
      } catch (DatabasePassword.UnusableException e) {
        addProblem(Settings.DB_PASSWORD_FILE.name(), e.reason());
      }
    }
  }

  private void reportUnknown() {
    for (String name : options.keySet()) {
      if (isUnknown(name)) {
        addProblem("--" + name, Message.of("config.unknown-setting"));
      }
    }
    for (String name : file.entries().stringPropertyNames().stream().sorted().toList()) {
      if (isUnknown(name) || name.equals(Settings.CONFIG.name())) {
        addProblem(fileName + ": " + name, Message.of("config.unknown-setting"));
      }
    }
  }

  private void reportRepeated() {
    for (SettingsFile.Repeated repeated : file.repeated()) {
      addProblem(
          fileName + ": " + repeated.name(),
          Message.of("config.repeated-setting", "first", repeated.firstLine())
              .with("line", repeated.line()));
    }
  }

  private static boolean isUnknown(String name) {
    return Settings.ALL.stream().noneMatch(setting -> setting.name().equals(name));
  }

  private void checkCombinations(Settings settings) {
    Optional<Path> certificate = settings.value(Settings.TLS_CERT);
    Optional<Path> key = settings.value(Settings.TLS_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      addProblem(key.isPresent() ? "tls-cert" : "tls-key", Message.of("config.tls-both"));
    }
    certificate.ifPresent(path -> requireReadable("tls-cert", path));
    key.ifPresent(path -> requireReadable("tls-key", path));
  }

  private void requireReadable(String name, Path path) {
    if (!Files.isReadable(path)) {
      addProblem(name, Message.of("config.file-missing", "file", path.toString()));
    }
  }

  private void addProblem(String location, Message message) {
    Problem problem = Problem.at(location, message);
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }
}
