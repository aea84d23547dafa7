package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Reads the value of every setting: an option takes precedence over the environment, the
 * environment over the file, the file over the default. All problems are reported together.
 */
public final class SettingsReader {
  private final Map<String, String> options;
  private final Map<String, String> environment;
  private final Map<Setting<?>, Object> values = new HashMap<>();
  private final Map<Setting<?>, Settings.Given> given = new HashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private Properties file = new Properties();
  private String fileName = "";

  private SettingsReader(Map<String, String> options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /**
   * @param options by name without dashes
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
    Settings settings = problems.isEmpty() ? new Settings(values, given) : null;
    if (settings != null) {
      checkTogether(settings);
    }
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.BAD_REQUEST, Message.of("config.invalid", "count", problems.size()), problems);
    }
    return settings;
  }

  /** The file named by the option must exist; the one in the data directory is optional. */
  private void readFile() {
    Optional<Path> named = parse(Settings.CONFIG);
    Path path =
        named.orElseGet(
            () ->
                Optional.ofNullable(parse(Settings.DATA))
                    .orElse(Path.of(""))
                    .resolve("trainyard.conf"));
    if (named.isEmpty() && !Files.exists(path)) {
      return;
    }
    fileName = path.toString();
    Properties read = new Properties();
    try (Reader reader = Files.newBufferedReader(path)) {
      read.load(reader);
      file = read;
    } catch (IOException | IllegalArgumentException e) {
      problem(fileName, Message.of("config.file-unreadable", "detail", e.toString()));
    }
  }

  private <T> T parse(Setting<T> setting) {
    String source = "--" + setting.name();
    Settings.Source from = Settings.Source.OPTION;
    String text = options.get(setting.name());
    if (text == null) {
      source = setting.environmentVariable();
      from = Settings.Source.ENVIRONMENT;
      text = environment.get(source);
    }
    if (text == null) {
      source = fileName + ": " + setting.name();
      from = Settings.Source.FILE;
      text = file.getProperty(setting.name());
    }
    if (text == null) {
      source = setting.name();
      from = Settings.Source.DEFAULT;
      text = setting.defaultText();
    }
    try {
      T value = setting.parser().apply(text.strip());
      values.put(setting, value);
      given.put(setting, new Settings.Given(text, from));
      return value;
    } catch (IllegalArgumentException e) {
      problem(
          source,
          Message.of("config.bad-value", "value", text)
              .with("expected", Message.of(setting.expected())));
      return null;
    } catch (AppException e) {
      // A parser that finds several problems reports them itself.
      for (Problem found : e.problems()) {
        problem(source, found.message());
      }
      return null;
    }
  }

  private void reportUnknown() {
    for (String name : options.keySet()) {
      if (isUnknown(name)) {
        problem("--" + name, Message.of("config.unknown-setting"));
      }
    }
    for (String name : file.stringPropertyNames().stream().sorted().toList()) {
      if (isUnknown(name) || name.equals(Settings.CONFIG.name())) {
        problem(fileName + ": " + name, Message.of("config.unknown-setting"));
      }
    }
  }

  private static boolean isUnknown(String name) {
    return Settings.ALL.stream().noneMatch(setting -> setting.name().equals(name));
  }

  private void checkTogether(Settings settings) {
    Optional<Path> certificate = settings.value(Settings.TLS_CERT);
    Optional<Path> key = settings.value(Settings.TLS_KEY);
    if (certificate.isPresent() != key.isPresent()) {
      problem(key.isPresent() ? "tls-cert" : "tls-key", Message.of("config.tls-both"));
    }
    certificate.ifPresent(path -> requireReadable("tls-cert", path));
    key.ifPresent(path -> requireReadable("tls-key", path));
  }

  private void requireReadable(String name, Path path) {
    if (!Files.isReadable(path)) {
      problem(name, Message.of("config.file-missing", "file", path.toString()));
    }
  }

  private void problem(String source, Message message) {
    Problem problem = Problem.at(source, message);
    if (!problems.contains(problem)) {
      problems.add(problem);
    }
  }
}
