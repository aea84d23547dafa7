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
 * Reads a job from a row. Columns are read by position, because a lookup by name is slow in a list
 * of thousands of jobs. Therefore, the calls must be in the order in which the columns are
 * selected.
 */
final class JobRow {
  /** The columns of a job; they must be selected before any other columns. */
  static final String COLUMNS =
      """
      id, user_id, user_name, name, format, image, virtual_cluster, cpus, memory_mb, devices, \
      task_count, role_count, priority, submitted, \
      version, state, attempt, started, ended, exit_code, \
      stop_cause, stopped_by, stop_grace, reason_code, reason_params, \
      retries, faults, conflicts, task_retries, cause, not_before, back_off\
      """;

  static final String LIST_ITEM_COLUMNS =
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

  static JobListItem listItem(ResultSet rows) throws SQLException {
    return new JobRow(rows).listItem();
  }

  private JobListItem listItem() throws SQLException {
    return new JobListItem(
        new JobId(nextText()),
        nextText(),
        nextText(),
        nextText(),
        nextNumber(),
        nextCount(),
        nextCount(),
        nextPriority(),
        Instant.ofEpochMilli(nextNumber()),
        JobState.valueOf(nextText()),
        nextCount(),
        nextOptionalTime(),
        nextOptionalTime(),
        nextOptionalCount(),
        nextOptionalText().map(StopCause::valueOf),
        nextCount(),
        nextCount(),
        nextOptionalTime(),
        Duration.ofMillis(nextNumber()));
  }

  private Job job() throws SQLException {
    return new Job(
        new JobId(nextText()),
        nextText(),
        nextText(),
        nextText(),
        JobFormat.ofLabel(nextText()),
        nextText(),
        nextText(),
        nextNumber(),
        DataSize.ofMegabytes(nextNumber()),
        nextNumber(),
        nextCount(),
        nextCount(),
        nextPriority(),
        Instant.ofEpochMilli(nextNumber()),
        nextStatus());
  }

  private JobStatus nextStatus() throws SQLException {
    return new JobStatus(
        nextNumber(),
        JobState.valueOf(nextText()),
        nextCount(),
        nextOptionalTime(),
        nextOptionalTime(),
        nextOptionalCount(),
        nextStop(),
        StoredJson.message(nextText(), nextText()),
        new RetryState(
            new RetryRule.Past(
                nextCount(), nextCount(), nextCount(), StoredJson.counts(nextText())),
            AttemptCause.valueOf(nextText()),
            nextOptionalTime(),
            Duration.ofMillis(nextNumber())));
  }

  private Optional<StopRequest> nextStop() throws SQLException {
    Optional<String> cause = nextOptionalText();
    Optional<String> by = nextOptionalText();
    Optional<Duration> grace =
        nextOptionalTime().map(time -> Duration.ofMillis(time.toEpochMilli()));
    return cause.isEmpty()
        ? Optional.empty()
        : Optional.of(new StopRequest(StopCause.valueOf(cause.get()), by, grace));
  }

  private String nextPriority() throws SQLException {
    return nextOptionalText().orElse("");
  }

  private String nextText() throws SQLException {
    return rows.getString(++column);
  }

  private Optional<String> nextOptionalText() throws SQLException {
    return Optional.ofNullable(nextText());
  }

  private long nextNumber() throws SQLException {
    return rows.getLong(++column);
  }

  private int nextCount() throws SQLException {
    return rows.getInt(++column);
  }

  private OptionalInt nextOptionalCount() throws SQLException {
    int value = nextCount();
    return rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private Optional<Instant> nextOptionalTime() throws SQLException {
    long millis = nextNumber();
    return rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }
}
