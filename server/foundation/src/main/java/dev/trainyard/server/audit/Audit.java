package dev.trainyard.server.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Writes the audit log. A record is written in the transaction of the change itself, so that
 * neither exists without the other. Thread-safe.
 */
public final class Audit {
  /**
   * Maximum length of the previous or new state in a record, which limits how much one request can
   * add to the log.
   */
  private static final int MAX_DETAIL_LENGTH = 16 * 1024;

  private static final int MAX_TARGET_LENGTH = 600;

  private final InstantSource clock;
  private final Ulid ids;

  public Audit(InstantSource clock) {
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** Returns the current time by the clock that records use. */
  public Instant now() {
    return clock.instant();
  }

  /**
   * @param action the action, in lower case with dots, for example {@code user.create}
   * @param target the changed object, by kind and name, for example {@code user:alice}
   * @param before the previous state, without secrets; empty if there was none
   * @param after the new state, without secrets; empty if there is none
   */
  public void record(
      Handle handle,
      Actor actor,
      String action,
      String target,
      Map<String, ?> before,
      Map<String, ?> after) {
    String shortTarget =
        target.length() > MAX_TARGET_LENGTH ? target.substring(0, MAX_TARGET_LENGTH) : target;
    AuditStore.insert(
        handle,
        new AuditEntry(
            ids.next(),
            clock.instant(),
            actor,
            action,
            shortTarget,
            toJson(before),
            toJson(after)));
  }

  private static String toJson(Map<String, ?> values) {
    if (values.isEmpty()) {
      return "";
    }
    try {
      String text = Json.MAPPER.writeValueAsString(values);
      return text.length() > MAX_DETAIL_LENGTH ? "{\"omitted\":" + text.length() + "}" : text;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("failed to serialize to JSON: " + values.keySet(), e);
    }
  }
}
