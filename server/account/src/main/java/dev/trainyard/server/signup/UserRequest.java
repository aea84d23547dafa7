package dev.trainyard.server.signup;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something a user asks administrators for.
 *
 * @param kind one of {@link #KINDS}
 * @param what which device type, pool or data set
 * @param state one of {@link #STATES}
 * @param word what the administrator said
 */
record UserRequest(
    String id,
    String userId,
    String userName,
    String kind,
    String what,
    String reason,
    String state,
    String word,
    Instant created,
    Optional<Instant> decided,
    String decidedBy) {
  static final List<String> KINDS = List.of("device", "pool", "data", "other");
  static final String OPEN = "open";
  static final String GRANTED = "granted";
  static final String REFUSED = "refused";
  static final List<String> STATES = List.of(OPEN, GRANTED, REFUSED);
}
