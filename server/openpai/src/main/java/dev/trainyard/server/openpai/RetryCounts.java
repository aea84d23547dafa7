package dev.trainyard.server.openpai;

import dev.trainyard.model.RetryRule;
import dev.trainyard.server.job.JobListItem;
import dev.trainyard.server.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The number of retries of a job by cause. */
record RetryCounts(int user, int platform, int resource) {
  static RetryCounts of(JobStatus status) {
    RetryRule.Past past = status.retries().past();
    return of(status.attempt(), past.counted(), past.conflicts());
  }

  static RetryCounts of(JobListItem job) {
    return of(job.attempt(), job.counted(), job.conflicts());
  }

  /**
   * Counts as OpenPAI does: while a job waits for its next attempt, that attempt is not counted.
   */
  private static RetryCounts of(int attempt, int userRetries, int conflicts) {
    int all = Math.max(0, attempt - 1);
    int user = Math.min(all, userRetries);
    int resource = Math.min(all - user, conflicts);
    return new RetryCounts(user, all - user - resource, resource);
  }

  int all() {
    return user + platform + resource;
  }

  /** Returns the seconds until the next attempt; null if no attempt is delayed. */
  static Long delay(Optional<Instant> notBefore, Instant now) {
    return notBefore.isEmpty()
        ? null
        : Math.max(0, Duration.between(now, notBefore.get()).toSeconds());
  }
}
