package dev.trainyard.server.user;

import java.time.Instant;

/**
 * A user account.
 *
 * @param idRange number of the user for engines that separate users by host IDs; never reused
 */
public record User(
    String id, String name, boolean admin, boolean disabled, int idRange, Instant created) {}
