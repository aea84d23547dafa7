package dev.trainyard.server.audit;

import java.time.Instant;

/**
 * A record of the audit log.
 *
 * @param id a ULID; newer ones are greater
 * @param before JSON, or empty
 * @param after JSON, or empty
 */
record AuditEntry(
    String id,
    Instant happened,
    Actor actor,
    String action,
    String target,
    String before,
    String after) {}
