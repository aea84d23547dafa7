package dev.trainyard.server.audit;

import java.time.Instant;

/**
 * A record of the audit log.
 *
 * @param id a ULID; newer records have greater IDs
 * @param before the previous state as JSON; empty if there was none
 * @param after the new state as JSON; empty if there is none
 */
record AuditEntry(
    String id,
    Instant happened,
    Actor actor,
    String action,
    String target,
    String before,
    String after) {}
