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
    Map<String, String> context = MDC.getCopyOfContextMap();
    if (context != null) {
      new TreeMap<>(context).forEach(line::putIfAbsent);
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
