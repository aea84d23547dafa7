package dev.trainyard.server.audit;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Optional;

/** Parses timestamps: milliseconds since 1970, ISO 8601, or a date. */
final class TimestampParser {
  private static final long MAX_MILLIS = Instant.parse("9999-12-31T23:59:59Z").toEpochMilli();

  private TimestampParser() {}

  /**
   * @param zone the time zone of dates without a time, which mean the start of the day
   */
  static Optional<Instant> parse(String text, ZoneId zone) {
    return read(text, zone)
        .filter(moment -> moment.isBefore(Instant.ofEpochMilli(MAX_MILLIS)))
        .map(moment -> moment.isBefore(Instant.EPOCH) ? Instant.EPOCH : moment);
  }

  private static Optional<Instant> read(String text, ZoneId zone) {
    try {
      if (text.matches("[0-9]{1,15}")) {
        return Optional.of(Instant.ofEpochMilli(Long.parseLong(text)));
      }
      return Optional.of(
          text.length() <= 10
              ? LocalDate.parse(text).atStartOfDay(zone).toInstant()
              : OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
