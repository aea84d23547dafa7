package dev.trainyard.server.audit;

import java.time.Instant;
import java.util.Optional;

/**
 * A filter for the audit log. Empty strings match everything.
 *
 * @param action an action, or all actions of an area, for example {@code user.*}
 * @param since inclusive start
 * @param until exclusive end
 * @param belowId only records with an ID less than this one
 */
record AuditFilter(
    String user,
    String action,
    String target,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<String> belowId) {

  static final AuditFilter ALL =
      new AuditFilter("", "", "", Optional.empty(), Optional.empty(), Optional.empty());

  AuditFilter belowId(String id) {
    return new AuditFilter(user, action, target, since, until, Optional.of(id));
  }
}
