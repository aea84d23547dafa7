package dev.trainyard.server.user;

import java.time.Instant;

/**
 * A public SSH key of a user.
 *
 * @param text key type and base64 data, as in an authorized_keys file, without a comment
 * @param fingerprint as printed by {@code ssh-keygen -l}
 */
public record SshKey(String id, String title, String text, String fingerprint, Instant created) {}
