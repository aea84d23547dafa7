package dev.trainyard.server.token;

import java.util.Locale;

/** Kind of a token. */
public enum TokenKind {
  /** Issued when a user signs in; expires if it is not used for some time. */
  SESSION,
  /**
   * Stored in the data directory, for accounts of the host that can read it; valid until the next
   * start of the server.
   */
  LOCAL,
  /** Created by a user for a program, with a name and a scope. */
  APPLICATION;

  /** Returns the name used in the API and the database. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
