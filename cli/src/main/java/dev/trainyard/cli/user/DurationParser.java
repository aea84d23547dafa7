package dev.trainyard.cli.user;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses durations such as 90s, 15m, 12h, 30d and 4w. */
public final class DurationParser {
  private static final Pattern FORMAT = Pattern.compile("([0-9]{1,9})([smhdw])");

  private DurationParser() {}

  public static OptionalLong seconds(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    long unitSeconds =
        switch (matcher.group(2)) {
          case "s" -> 1;
          case "m" -> 60;
          case "h" -> 3600;
          case "d" -> 86_400;
          default -> 7 * 86_400;
        };
    return OptionalLong.of(Long.parseLong(matcher.group(1)) * unitSeconds);
  }

  /**
   * Converts a text such as 2h, which means two hours ago, into a timestamp. Returns any other text
   * unchanged, because the server parses it.
   */
  public static Optional<String> timestamp(String text, long nowMillis) {
    if (text == null) {
      return Optional.empty();
    }
    OptionalLong secondsAgo = seconds(text);
    return Optional.of(
        secondsAgo.isPresent()
            ? Long.toString(Math.max(0, nowMillis - secondsAgo.getAsLong() * 1000))
            : text);
  }
}
