package dev.trainyard.server.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.trainyard.server.http.Json;
import java.util.List;

/** Reads and writes the stored form of a list of texts, a JSON array. */
final class StoredTexts {
  private StoredTexts() {}

  static String write(List<String> texts) {
    try {
      return Json.MAPPER.writeValueAsString(texts);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static List<String> read(String stored) {
    try {
      return Json.MAPPER.readValue(stored, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored list is invalid", e);
    }
  }
}
