package dev.trainyard.server.retention;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Selects the logs to delete. Has no state and no side effects. */
final class RetentionRule {
  /**
   * Minimum age of logs that are deleted because of the size limit. More recent logs are kept,
   * because users may be reading these logs. A full disk is reported by a separate warning.
   */
  static final Duration MIN_AGE_FOR_SIZE_LIMIT = Duration.ofDays(1);

  private RetentionRule() {}

  /**
   * Returns the logs to delete, oldest first.
   *
   * @param unfinishedJobsBytes bytes of logs of unfinished jobs; these logs count toward the limit
   *     but are kept
   */
  static List<KeptLog> logsToRemove(
      List<KeptLog> logs, long unfinishedJobsBytes, RetentionPolicy policy, Instant now) {
    List<KeptLog> oldestFirst =
        logs.stream()
            .sorted(Comparator.comparing(KeptLog::ended).thenComparing(log -> log.job().value()))
            .toList();
    long remainingBytes = unfinishedJobsBytes + logs.stream().mapToLong(KeptLog::bytes).sum();
    List<KeptLog> removed = new ArrayList<>();
    for (KeptLog log : oldestFirst) {
      Duration age = Duration.between(log.ended(), now);
      boolean tooOld = policy.logs().map(maximum -> age.compareTo(maximum) > 0).orElse(false);
      long total = remainingBytes;
      boolean overSizeLimit =
          policy.logsSize().map(maximum -> total > maximum.bytes()).orElse(false)
              && age.compareTo(MIN_AGE_FOR_SIZE_LIMIT) > 0;
      if (tooOld || overSizeLimit) {
        removed.add(log);
        remainingBytes -= log.bytes();
      }
    }
    return removed;
  }
}
