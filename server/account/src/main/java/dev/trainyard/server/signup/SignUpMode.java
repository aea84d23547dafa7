package dev.trainyard.server.signup;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Conditions under which people can sign up. */
enum SignUpMode {
  /** Sign-up is disabled. */
  CLOSED,
  /** Anyone can sign up. */
  OPEN,
  /** An invitation code is required. */
  CODE,
  /** Sign-up requires an invitation code or the approval of an administrator. */
  APPROVAL;

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Optional<SignUpMode> find(String label) {
    return Arrays.stream(values()).filter(mode -> mode.label().equals(label)).findFirst();
  }
}
