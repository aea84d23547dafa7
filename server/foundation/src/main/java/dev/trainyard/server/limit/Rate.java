package dev.trainyard.server.limit;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rate limit of {@code count} requests per {@code span}. After an idle period, {@code count}
 * requests are allowed at once; further requests are allowed one by one, at even intervals.
 *
 * @param count at least 1
 */
public record Rate(int count, Duration span) {
  private static final Pattern FORMAT = Pattern.compile("(\\d{1,9})\\s*/\\s*([smhd])");
  private static final Map<String, Duration> SPAN_BY_UNIT =
      Map.of(
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  public Rate {
    if (count < 1 || !span.isPositive()) {
      throw new IllegalArgumentException(count + " in " + span);
    }
  }

  /**
   * Parses text such as {@code 50/s}, {@code 3000/m}, {@code 3600/h} or {@code 1000/d}.
   *
   * @throws IllegalArgumentException for anything else
   */
  public static Rate parse(String text) {
    Matcher matcher = FORMAT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    return new Rate(Integer.parseInt(matcher.group(1)), SPAN_BY_UNIT.get(matcher.group(2)));
  }

  /** Returns the interval between two requests at this rate, in nanoseconds. */
  long interval() {
    return Math.max(1, span.toNanos() / count);
  }
}
