package dev.trainyard.server.secret;

/** Sealed secrets that this server can't open. Says why, and nothing of what is in them. */
public final class UnreadableSecretsException extends Exception {
  UnreadableSecretsException(String why) {
    super("its secrets can't be read: " + why);
  }
}
