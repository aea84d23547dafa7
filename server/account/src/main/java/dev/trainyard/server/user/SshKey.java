package dev.trainyard.server.user;

import java.time.Instant;

/**
 * A public key somebody signs in with over ssh.
 *
 * @param text type and base64, as in a file of authorized keys, without a comment
 * @param fingerprint as ssh-keygen -l prints it
 */
public record SshKey(String id, String title, String text, String fingerprint, Instant created) {}
