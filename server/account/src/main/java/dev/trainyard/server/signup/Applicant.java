package dev.trainyard.server.signup;

import dev.trainyard.server.user.Profile;
import java.time.Instant;

/**
 * A sign-up that awaits approval or was rejected.
 *
 * @param message the applicant's message to the administrator
 * @param rejected whether the sign-up was rejected
 * @param adminMessage the administrator's message to a rejected applicant
 */
record Applicant(
    String id,
    String name,
    String passwordHash,
    Profile profile,
    String message,
    String address,
    Instant created,
    boolean rejected,
    String adminMessage) {}
