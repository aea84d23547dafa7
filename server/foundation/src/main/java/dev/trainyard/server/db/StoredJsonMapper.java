package dev.trainyard.server.db;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Configures the mappers for JSON that the server stores. A mapper can read everything that it can
 * write: the limits that protect against untrusted input apply when a request is parsed, not when
 * stored data is read. Field names are neither interned nor cached, because users may choose them
 * and the symbol table of Jackson rejects names whose hash codes collide.
 */
public final class StoredJsonMapper {
  private StoredJsonMapper() {}

  public static JsonMapper.Builder builder() {
    return JsonMapper.builder(
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build());
  }
}
