package dev.trainyard.cli.job;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a duration: {@code 5s}, {@code 2m}, {@code 1h}; a bare number is seconds. */
final class Grace {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})([smh]?)");

  private Grace() {}

  /** Returns the duration in seconds; empty if it is invalid. */
  static OptionalLong seconds(String text) {
    Matcher parts = FORM.matcher(text.strip());
    if (!parts.matches()) {
      return OptionalLong.empty();
    }
    long unit =
        switch (parts.group(2)) {
          case "m" -> 60;
          case "h" -> 3600;
          default -> 1;
        };
    return OptionalLong.of(Long.parseLong(parts.group(1)) * unit);
  }
}
