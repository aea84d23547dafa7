package dev.trainyard.cli.user;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations: 90s, 15m, 12h, 30d, 4w. */
public final class DurationParser {
  private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})([smhdw])");

  private DurationParser() {}

  public static OptionalLong seconds(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return OptionalLong.empty();
    }
    long unit =
        switch (parts.group(2)) {
          case "s" -> 1;
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 86_400;
          default -> 7 * 86_400;
        };
    return OptionalLong.of(Long.parseLong(parts.group(1)) * unit);
  }

  /**
   * Converts a duration before now into a timestamp; passes on any other format that the server
   * accepts.
   */
  public static Optional<String> moment(String text, long nowMillis) {
    if (text == null) {
      return Optional.empty();
    }
    OptionalLong ago = seconds(text);
    return Optional.of(
        ago.isPresent() ? Long.toString(Math.max(0, nowMillis - ago.getAsLong() * 1000)) : text);
  }
}
