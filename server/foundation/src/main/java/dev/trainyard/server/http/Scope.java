package dev.trainyard.server.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The part of its holder's rights that a token grants; each scope includes the previous ones. */
public enum Scope {
  /** Only {@code /metrics}, with a token of an administrator. */
  METRICS,
  /** Read access. */
  READ,
  /** Also all operations on jobs. */
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

  /** Returns whether a token of this scope may be used if another scope is required. */
  public boolean includes(Scope required) {
    return compareTo(required) >= 0;
  }
}
