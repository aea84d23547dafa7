package dev.trainyard.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.server.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.slf4j.MDC;

/** Formats log records for programs: one JSON object per line. */
final class JsonLogFormatter extends Formatter {
  @Override
  public String format(LogRecord record) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("time", record.getInstant().toString());
    line.put("level", LogLevels.name(record.getLevel()));
    line.put("logger", record.getLoggerName());
    line.put("message", formatMessage(record));
    Map<String, String> circumstances = MDC.getCopyOfContextMap();
    if (circumstances != null) {
      new TreeMap<>(circumstances).forEach(line::putIfAbsent);
    }
    if (record.getThrown() != null) {
      line.put("exception", LogLevels.stackTrace(record.getThrown()));
    }
    try {
      return Json.MAPPER.writeValueAsString(line) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
