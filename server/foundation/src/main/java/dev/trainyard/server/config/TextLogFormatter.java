package dev.trainyard.server.config;

import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.slf4j.MDC;

/** Formats log records for people: time, level, logger, message, and the context as key=value. */
final class TextLogFormatter extends Formatter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder();
    line.append(TIME.format(record.getInstant()))
        .append(' ')
        .append(String.format("%-5s", LogLevels.name(record.getLevel())))
        .append(' ')
        .append(shortName(record.getLoggerName()))
        .append(' ')
        .append(oneLine(formatMessage(record)));
    Map<String, String> context = MDC.getCopyOfContextMap();
    if (context != null) {
      new TreeMap<>(context)
          .forEach((key, value) -> line.append(' ').append(key).append('=').append(oneLine(value)));
    }
    line.append('\n');
    if (record.getThrown() != null) {
      line.append(LogLevels.stackTrace(record.getThrown()));
    }
    return line.toString();
  }

  /**
   * Escapes line breaks and the escape character, so that external text cannot forge a log line.
   */
  private static String oneLine(String text) {
    return String.valueOf(text).replace("\n", "\\n").replace("\r", "\\r").replace("\u001b", "\\e");
  }

  private static String shortName(String logger) {
    return logger == null ? "-" : logger.substring(logger.lastIndexOf('.') + 1);
  }
}
