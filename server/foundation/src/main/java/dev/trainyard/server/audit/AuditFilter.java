package dev.trainyard.server.audit;

import java.time.Instant;
import java.util.Optional;

/**
 * What somebody wants to see of the audit log. Empty texts mean all.
 *
 * @param action a whole action, or all of an area as {@code user.*}
 * @param since the first moment
 * @param until the first moment no more
 * @param below only records before this id
 */
record AuditFilter(
    String user,
    String action,
    String target,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<String> below) {

  static final AuditFilter ALL =
      new AuditFilter("", "", "", Optional.empty(), Optional.empty(), Optional.empty());

  AuditFilter below(String id) {
    return new AuditFilter(user, action, target, since, until, Optional.of(id));
  }
}
