package dev.trainyard.server.user;

import java.time.Instant;

/**
 * A user account.
 *
 * @param idRange number from which engines derive the host IDs of the user's tasks; never reused
 *     for another user
 */
public record User(
    String id, String name, boolean admin, boolean disabled, int idRange, Instant created) {}
