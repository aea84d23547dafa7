package dev.trainyard.server.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetentionRuleTest {
  private static final Instant NOW = Instant.parse("2030-06-01T00:00:00Z");

  /** Logs as {@code name:ageInHours:bytes}; limits as days and bytes, - for none. */
  @ParameterizedTest
  @CsvSource({
    "'', 0, 30, 100, ''",
    "'a:10:5 b:20:5', 0, -, -, ''",
    // by age, oldest first
    "'a:800:5 b:720:5 c:900:5', 0, 30, -, 'c a'",
    "'a:720:5', 0, 30, -, ''",
    // by size, oldest first, only as many as needed
    "'a:100:40 b:200:40 c:300:40', 0, -, 100, 'c'",
    "'a:100:40 b:200:40 c:300:40', 0, -, 40, 'c b'",
    "'a:100:40 b:200:40 c:300:40', 0, -, 120, ''",
    // logs of unfinished jobs count
    "'a:100:40 b:200:40', 50, -, 100, 'b'",
    // logs of the last day are kept, regardless of their size
    "'a:23:500 b:24:500 c:25:500', 0, -, 10, 'c'",
    "'a:23:500', 900, -, 0, ''",
    // logs deleted because of their age count toward the size
    "'a:100:60 b:800:60', 0, 30, 100, 'b'",
    // ages are negative if the clock was set back
    "'a:-50:500', 0, 30, 10, ''"
  })
  void logsToRemove(String logs, long others, String days, String size, String removed) {
    List<KeptLog> kept = new ArrayList<>();
    for (String log : logs.isEmpty() ? new String[0] : logs.split(" ", -1)) {
      String[] parts = log.split(":", -1);
      kept.add(
          new KeptLog(
              new JobId("0".repeat(25) + parts[0].toUpperCase(Locale.ROOT)),
              NOW.minus(Duration.ofHours(Long.parseLong(parts[1]))),
              Long.parseLong(parts[2])));
    }
    RetentionPolicy policy =
        new RetentionPolicy(
            Optional.empty(),
            days.equals("-")
                ? Optional.empty()
                : Optional.of(Duration.ofDays(Long.parseLong(days))),
            size.equals("-") ? Optional.empty() : Optional.of(new DataSize(Long.parseLong(size))));
    assertThat(
            String.join(
                " ",
                RetentionRule.logsToRemove(kept, others, policy, NOW).stream()
                    .map(log -> log.job().value().substring(25).toLowerCase(Locale.ROOT))
                    .toList()))
        .isEqualTo(removed);
  }
}
