package dev.trainyard.server.signup;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Who may become a user without an administrator's doing. */
enum SignUpMode {
  /** Nobody. */
  CLOSED,
  /** Everybody. */
  OPEN,
  /** Whoever has an invitation code. */
  CODE,
  /** Whoever has a code, and others once an administrator agrees. */
  APPROVAL;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<SignUpMode> find(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label().equals(label)).findFirst();
  }
}
