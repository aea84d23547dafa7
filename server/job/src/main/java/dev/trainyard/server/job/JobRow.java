package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.StopCause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads a job from a row. Columns are read by position, because finding each by name is slow in a
 * list of thousands; so the calls must be in the order in which the columns are selected.
 */
final class JobRow {
  /** Must be selected before any other columns. */
  static final String COLUMNS =
      """
      id, user_id, user_name, name, format, image, virtual_cluster, cpus, memory_mb, devices, \
      task_count, role_count, priority, submitted, \
      version, state, attempt, started, ended, exit_code, \
      stop_cause, stopped_by, stop_grace, reason_code, reason_params, \
      retries, faults, conflicts, task_retries, cause, not_before, back_off\
      """;

  static final String LINE_COLUMNS =
      """
      id, user_name, name, virtual_cluster, devices, task_count, role_count, priority, submitted, \
      state, attempt, started, ended, exit_code, stop_cause, retries, conflicts, not_before, \
      back_off\
      """;

  private final ResultSet rows;
  private int column;

  private JobRow(ResultSet rows) {
    this.rows = rows;
  }

  static Job job(ResultSet rows) throws SQLException {
    return new JobRow(rows).job();
  }

  static JobListItem line(ResultSet rows) throws SQLException {
    return new JobRow(rows).line();
  }

  private JobListItem line() throws SQLException {
    return new JobListItem(
        new JobId(text()),
        text(),
        text(),
        text(),
        number(),
        count(),
        count(),
        priority(),
        Instant.ofEpochMilli(number()),
        JobState.valueOf(text()),
        count(),
        maybeTime(),
        maybeTime(),
        maybeCount(),
        maybeText().map(StopCause::valueOf),
        count(),
        count(),
        maybeTime(),
        Duration.ofMillis(number()));
  }

  private Job job() throws SQLException {
    return new Job(
        new JobId(text()),
        text(),
        text(),
        text(),
        JobFormat.ofLabel(text()),
        text(),
        text(),
        number(),
        DataSize.ofMegabytes(number()),
        number(),
        count(),
        count(),
        priority(),
        Instant.ofEpochMilli(number()),
        status());
  }

  private JobStatus status() throws SQLException {
    return new JobStatus(
        number(),
        JobState.valueOf(text()),
        count(),
        maybeTime(),
        maybeTime(),
        maybeCount(),
        stop(),
        StoredJson.message(text(), text()),
        new RetryState(
            new RetryRule.Past(count(), count(), count(), StoredJson.counts(text())),
            AttemptCause.valueOf(text()),
            maybeTime(),
            Duration.ofMillis(number())));
  }

  private Optional<StopRequest> stop() throws SQLException {
    Optional<String> cause = maybeText();
    Optional<String> by = maybeText();
    Optional<Duration> grace = maybeTime().map(time -> Duration.ofMillis(time.toEpochMilli()));
    return cause.isEmpty()
        ? Optional.empty()
        : Optional.of(new StopRequest(StopCause.valueOf(cause.get()), by, grace));
  }

  private String priority() throws SQLException {
    return maybeText().orElse("");
  }

  private String text() throws SQLException {
    return rows.getString(++column);
  }

  private Optional<String> maybeText() throws SQLException {
    return Optional.ofNullable(text());
  }

  private long number() throws SQLException {
    return rows.getLong(++column);
  }

  private int count() throws SQLException {
    return rows.getInt(++column);
  }

  private OptionalInt maybeCount() throws SQLException {
    int value = count();
    return rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private Optional<Instant> maybeTime() throws SQLException {
    long millis = number();
    return rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
