package dev.trainyard.cli.job;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a grace period: {@code 5s}, {@code 2m}, {@code 1h}; a bare number is seconds. */
final class GracePeriodParser {
  private static final Pattern FORMAT = Pattern.compile("(\\d{1,9})([smh]?)");

  private GracePeriodParser() {}

  /** Returns the duration in seconds; empty if it is invalid. */
  static OptionalLong seconds(String text) {
    Matcher matcher = FORMAT.matcher(text.strip());
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long unitSeconds =
        switch (matcher.group(2)) {
          case "m" -> 60;
          case "h" -> 3600;
          default -> 1;
        };
    return OptionalLong.of(Long.parseLong(matcher.group(1)) * unitSeconds);
  }
}
