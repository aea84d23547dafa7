package dev.trainyard.server.secret;

/**
 * Thrown if this server cannot decrypt secrets. The message contains the reason, but nothing of the
 * content.
 */
public final class UnreadableSecretsException extends Exception {
  UnreadableSecretsException(String reason) {
    super("its secrets can't be read: " + reason);
  }
}
