package dev.trainyard.server.signup;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A request of a user to the administrators.
 *
 * @param kind one of {@link #KINDS}
 * @param subject the requested device type, resource pool or dataset
 * @param reason why the user needs it
 * @param state one of {@link #STATES}
 * @param adminMessage the message of the administrator who decided the request; empty for none
 */
record UserRequest(
    String id,
    String userId,
    String userName,
    String kind,
    String subject,
    String reason,
    String state,
    String adminMessage,
    Instant created,
    Optional<Instant> decided,
    String decidedBy) {
  static final List<String> KINDS = List.of("device", "pool", "data", "other");
  static final String OPEN = "open";
  static final String GRANTED = "granted";
  static final String REFUSED = "refused";
  static final List<String> STATES = List.of(OPEN, GRANTED, REFUSED);
}
