package dev.trainyard.server.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** The one way in which the server reads and writes JSON. */
public final class Json {
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
          .addModule(new SimpleModule().addSerializer(new InstantAsMillis()))
          .build();

  private Json() {}

  /**
   * Whether a text or name in it has the character NUL, which PostgreSQL stores nowhere and nobody
   * means.
   */
  public static boolean hasNul(JsonNode node) {
    if (node.isTextual()) {
      return node.textValue().indexOf('\0') >= 0;
    }
    for (var field : node.properties()) {
      if (field.getKey().indexOf('\0') >= 0) {
        return true;
      }
    }
    for (JsonNode inner : node) {
      if (hasNul(inner)) {
        return true;
      }
    }
    return false;
  }

  /** Loads what writing needs, so that the first answer does not have to. */
  static void preload() {
    MAPPER.valueToTree(Map.of("a", 1));
  }

  private static final class InstantAsMillis extends StdSerializer<Instant> {
    InstantAsMillis() {
      super(Instant.class);
    }

    @Override
    public void serialize(Instant value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeNumber(value.toEpochMilli());
    }
  }
}
