package dev.trainyard.server.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The part of the user's rights that a token grants. Each scope includes all scopes before it. */
public enum Scope {
  /** Access to {@code /metrics}, with a token of an administrator. */
  METRICS,
  /** Read access. */
  READ,
  /** Read access, and all operations on jobs. */
  SUBMIT,
  /** All rights. */
  ALL;

  /** Returns the name used in the API and the database. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Scope> find(String label) {
    return Arrays.stream(values()).filter(scope -> scope.label().equals(label)).findFirst();
  }

  /** Returns whether a token with this scope may be used if the given scope is required. */
  public boolean includes(Scope required) {
    return compareTo(required) >= 0;
  }
}
