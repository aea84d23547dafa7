package dev.trainyard.server.token;

import java.util.Locale;

/** What a token is for. */
public enum TokenKind {
  /** Given for a password; expires when it is not used. */
  SESSION,
  /** Lies in the data directory for whoever may read that; lives until the next start. */
  LOCAL,
  /** Given to a program by its owner, with a name and a scope. */
  APPLICATION;

  /** As the API and the database write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
