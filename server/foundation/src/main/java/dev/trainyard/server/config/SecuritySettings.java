package dev.trainyard.server.config;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;

/** Finds the settings that affect security in a settings file from a backup. */
public final class SecuritySettings {
  /**
   * Settings that do not affect security. All other settings are reported, including settings that
   * are added later.
   */
  private static final Set<Setting<?>> NOT_SECURITY_RELEVANT =
      Set.of(
          Settings.PORT,
          Settings.CAPACITY,
          Settings.STOP_GRACE,
          Settings.JOB_PORTS,
          Settings.OPENPAI_LITERAL_ERRORS,
          Settings.LOG_LIMIT,
          Settings.KEEP_JOBS,
          Settings.KEEP_LOGS,
          Settings.KEEP_LOGS_SIZE,
          Settings.KEEP_EVENTS,
          Settings.IMAGE_PULL,
          Settings.BUILD_LIMIT,
          Settings.KEEP_IMAGES,
          Settings.IMAGE_DISK_LOW,
          Settings.DISK_LOW,
          Settings.DISK_CRITICAL,
          Settings.LOG_FORMAT);

  private SecuritySettings() {}

  /**
   * Returns the names and values of the settings that differ from their defaults and affect
   * security, such as the address, the database, TLS, the sandbox, sign-in and rate limits. Because
   * the values are displayed, control and format characters are replaced and passwords are masked.
   * Returns an empty map if the file does not exist or is invalid; the server rejects an invalid
   * file at its start.
   */
  public static Map<String, String> readFrom(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      return Map.of();
    }
    Map<String, String> securitySettings = new TreeMap<>();
    for (Setting<?> setting : Settings.ALL) {
      String value = properties.getProperty(setting.name(), setting.defaultText()).strip();
      if (!NOT_SECURITY_RELEVANT.contains(setting) && !value.equals(setting.defaultText())) {
        String shown = value.replaceAll("[\\p{Cc}\\p{Cf}]", "?");
        securitySettings.put(
            setting.name(), setting.equals(Settings.DB) ? DatabasePassword.mask(shown) : shown);
      }
    }
    return securitySettings;
  }
}
