package dev.trainyard.server.audit;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.http.Request;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * A time range from the request parameters {@code since}, {@code until} and {@code zone}.
 *
 * @param zone the time zone for dates without a time
 */
public record TimeRangeParameters(Optional<Instant> since, Optional<Instant> until, ZoneId zone) {
  public static TimeRangeParameters read(Request request, List<Problem> problems) {
    ZoneId zone = zone(request, problems);
    return new TimeRangeParameters(
        moment(request, "since", zone, problems), moment(request, "until", zone, problems), zone);
  }

  private static ZoneId zone(Request request, List<Problem> problems) {
    String text = request.query("zone").filter(value -> !value.isEmpty()).orElse("UTC");
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      problems.add(Problem.at("zone", Message.of("error.not-a-zone", "value", text)));
      return ZoneOffset.UTC;
    }
  }

  private static Optional<Instant> moment(
      Request request, String name, ZoneId zone, List<Problem> problems) {
    Optional<String> text = request.query(name).filter(value -> !value.isEmpty());
    Optional<Instant> moment = text.flatMap(value -> TimestampParser.parse(value, zone));
    if (text.isPresent() && moment.isEmpty()) {
      problems.add(Problem.at(name, Message.of("error.not-a-moment", "value", text.get())));
    }
    return moment;
  }
}
