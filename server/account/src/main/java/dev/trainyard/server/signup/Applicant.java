package dev.trainyard.server.signup;

import dev.trainyard.server.user.Profile;
import java.time.Instant;

/**
 * Somebody who wants to be a user.
 *
 * @param message what they say to the administrator
 * @param word what the administrator said to them
 */
record Applicant(
    String id,
    String name,
    String passwordHash,
    Profile profile,
    String message,
    String address,
    Instant created,
    boolean refused,
    String word) {}
