package dev.trainyard.server.signup;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A code that lets people in.
 *
 * @param groups into which those who use it come
 */
record Invitation(
    String id,
    String note,
    List<String> groups,
    int uses,
    int usesLeft,
    Instant created,
    String createdBy,
    Optional<Instant> expires,
    boolean revoked) {

  Invitation {
    groups = List.copyOf(groups);
  }
}
