package dev.trainyard.server.token;

import java.util.Locale;

/** Kind of a token. */
public enum TokenKind {
  /** Issued for a password; expires if unused. */
  SESSION,
  /** Stored in the data directory for users who may read it; valid until the next server start. */
  LOCAL,
  /** Created by a user for a program, with a name and a scope. */
  APPLICATION;

  /** Returns the name used in the API and the database. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
