package dev.trainyard.server.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How much of its holder's rights a token carries; each includes those before it. */
public enum Scope {
  /** Only {@code /metrics}, in a token of an administrator. */
  METRICS,
  /** Looking only. */
  READ,
  /** Also whatever one does with jobs. */
  SUBMIT,
  /** Everything. */
  ALL;

  /** As the API and the database write it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<Scope> find(String label) {
    return Arrays.stream(values()).filter(scope -> scope.label().equals(label)).findFirst();
  }

  /** Whether a token of this scope may do what needs another. */
  public boolean includes(Scope needed) {
    return compareTo(needed) >= 0;
  }
}
