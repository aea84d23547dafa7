package dev.trainyard.server.db;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.trainyard.model.Message;
import java.util.LinkedHashMap;
import java.util.Map;

/** Converts messages to and from two columns: the code, and the parameters as JSON. */
public final class StoredMessage {
  private static final JsonMapper MAPPER = StoredJsonMapper.builder().build();

  private StoredMessage() {}

  public static String params(Message message) {
    try {
      return MAPPER.writeValueAsString(message.params());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Message read(String code, String params) {
    try {
      return new Message(
          code,
          withMessages(
              MAPPER.readValue(params, new TypeReference<LinkedHashMap<String, Object>>() {})));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("unreadable JSON in the database", e);
    }
  }

  /** Converts parameters that are messages themselves, recursively. */
  private static Map<String, Object> withMessages(Map<?, ?> values) {
    Map<String, Object> converted = new LinkedHashMap<>();
    values.forEach(
        (name, value) ->
            converted.put(
                String.valueOf(name),
                value instanceof Map<?, ?> map
                        && map.get("code") instanceof String code
                        && map.get("params") instanceof Map<?, ?> inner
                    ? new Message(code, withMessages(inner))
                    : value));
    return converted;
  }
}
