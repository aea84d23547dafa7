package dev.trainyard.server.signup;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An invitation code for signing up.
 *
 * @param groups names of the groups to which users who sign up with the code are added
 * @param uses maximum number of sign-ups with the code
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
