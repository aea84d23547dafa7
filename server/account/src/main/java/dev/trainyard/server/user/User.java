package dev.trainyard.server.user;

import java.time.Instant;

/**
 * A person who may sign in.
 *
 * @param idRange the user's number for engines that separate users by host ids; never given twice
 */
public record User(
    String id, String name, boolean admin, boolean disabled, int idRange, Instant created) {}
