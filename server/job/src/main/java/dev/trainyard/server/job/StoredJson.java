package dev.trainyard.server.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.db.StoredJsonMapper;
import dev.trainyard.server.db.StoredMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values that are stored as JSON text. Unknown fields are ignored, so that a database written by a
 * newer version can be read after a downgrade.
 */
final class StoredJson {
  private static final JsonMapper MAPPER =
      StoredJsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private StoredJson() {}

  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a spec.
   *
   * @throws AppException if the spec cannot be read, so that the error affects only requests for
   *     this job
   */
  static JobSpec spec(String text) {
    try {
      return MAPPER.readValue(text, JobSpec.class);
    } catch (JsonProcessingException e) {
      AppException unreadable =
          new AppException(
              ErrorCode.CONFLICT,
              Message.of("error.unreadable-spec", "detail", e.getOriginalMessage()));
      unreadable.initCause(e);
      throw unreadable;
    }
  }

  static List<Problem> problems(String text) {
    return read(text, new TypeReference<>() {});
  }

  /**
   * Reads counts. Skips parsing in the common case of no counts, because lists of jobs are long.
   */
  static Map<String, Integer> counts(String text) {
    return text.equals("{}") ? Map.of() : read(text, new TypeReference<>() {});
  }

  /** Reads a diagnosis; also empty if only a newer version knows its exit category. */
  static Optional<TaskDiagnosis> diagnosis(String text) {
    try {
      return text == null
          ? Optional.empty()
          : Optional.of(MAPPER.readValue(text, TaskDiagnosis.class));
    } catch (InvalidFormatException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("unreadable JSON in the database", e);
    }
  }

  static Optional<Message> message(String code, String params) {
    if (code == null) {
      return Optional.empty();
    }
    return Optional.of(StoredMessage.read(code, params));
  }

  private static <T> T read(String text, TypeReference<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("unreadable JSON in the database", e);
    }
  }
}
