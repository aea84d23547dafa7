package dev.trainyard.engine.linux;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Configures the mappers of the specs that engines store for their tasks. The mappers can read
 * everything that they can write, even if a user has chosen names of variables whose hash codes
 * collide.
 */
public final class TaskRecordJson {
  private TaskRecordJson() {}

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
