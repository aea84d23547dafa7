package dev.trainyard.server.http;

import com.fasterxml.jackson.core.JsonFactory;
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

/** The server's configuration for reading and writing JSON. */
public final class Json {
  public static final ObjectMapper MAPPER =
      // Field names of requests are untrusted: they are neither interned nor cached.
      JsonMapper.builder(
              JsonFactory.builder()
                  .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                  .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION)
          .addModule(new SimpleModule().addSerializer(new InstantAsMillis()))
          .build();

  private Json() {}

  /**
   * Returns whether a text or field name contains the character NUL, which is never intended and
   * which PostgreSQL cannot store.
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

  /** Loads the classes for writing JSON, so that the first response is not delayed. */
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
