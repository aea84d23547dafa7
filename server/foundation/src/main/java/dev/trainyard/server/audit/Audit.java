package dev.trainyard.server.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Writes the audit log. A record is part of the work that makes the change: neither is there
 * without the other. Thread-safe.
 */
public final class Audit {
  /** More than any honest record; what somebody typed must not fill the log. */
  private static final int LONGEST = 16 * 1024;

  private static final int LONGEST_TARGET = 600;

  private final InstantSource clock;
  private final Ulid ids;

  public Audit(InstantSource clock) {
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** The time that a record made now would have. */
  public Instant now() {
    return clock.instant();
  }

  /**
   * @param action what was done, in lower case with dots: {@code user.create}
   * @param target to what, by kind and name: {@code user:alice}
   * @param before what the change replaced; never a secret. Empty where there was nothing
   * @param after what is there now; the same
   */
  public void record(
      Handle handle,
      Actor actor,
      String action,
      String target,
      Map<String, ?> before,
      Map<String, ?> after) {
    String shortTarget =
        target.length() > LONGEST_TARGET ? target.substring(0, LONGEST_TARGET) : target;
    AuditStore.insert(
        handle,
        new AuditEntry(
            ids.next(), clock.instant(), actor, action, shortTarget, text(before), text(after)));
  }

  private static String text(Map<String, ?> values) {
    if (values.isEmpty()) {
      return "";
    }
    try {
      String text = Json.MAPPER.writeValueAsString(values);
      return text.length() > LONGEST ? "{\"omitted\":" + text.length() + "}" : text;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not to be written as JSON: " + values.keySet(), e);
    }
  }
}
