package dev.trainyard.server.config;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Level;

/** Level names and stack traces as used by both log formats. */
final class LogLevels {
  private LogLevels() {}

  static String name(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "WARN";
    }
    return level.intValue() >= Level.INFO.intValue() ? "INFO" : "DEBUG";
  }

  static String stackTrace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
