package dev.trainyard.server.secret;

/**
 * Thrown if this server cannot decrypt secrets. The message contains the reason and nothing of
 * their content.
 */
public final class UnreadableSecretsException extends Exception {
  UnreadableSecretsException(String why) {
    super("its secrets can't be read: " + why);
  }
}
