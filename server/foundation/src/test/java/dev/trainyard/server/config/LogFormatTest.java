package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.http.Json;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class LogFormatTest {
  @AfterEach
  void clear() {
    MDC.clear();
  }

  @Test
  void text_lineBreaks_escaped() {
    MDC.put("path", "/a\nb");
    String line = new TextLogFormatter().format(record("hello\r\nERROR forged \u001b[31m"));
    assertThat(line)
        .endsWith("WARN  here hello\\r\\nERROR forged \\e[31m path=/a\\nb\n")
        .containsOnlyOnce("\n");
  }

  @Test
  void json_oneObjectPerLine() throws Exception {
    MDC.put("request", "01J");
    LogRecord record = record("hello\n\"world\"");
    record.setThrown(new IllegalStateException("why"));
    String line = new JsonLogFormatter().format(record);
    assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
    JsonNode json = Json.MAPPER.readTree(line);
    assertThat(json.get("message").textValue()).isEqualTo("hello\n\"world\"");
    assertThat(json.get("level").textValue()).isEqualTo("WARN");
    assertThat(json.get("logger").textValue()).isEqualTo("some.where.here");
    assertThat(json.get("request").textValue()).isEqualTo("01J");
    assertThat(json.get("exception").textValue()).contains("IllegalStateException: why");
  }

  private static LogRecord record(String message) {
    LogRecord record = new LogRecord(Level.WARNING, message);
    record.setLoggerName("some.where.here");
    return record;
  }
}
