package dev.trainyard.server.job;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;

/** The SQL of attempts and their tasks. A task's state only ever moves on, never back. */
public final class AttemptStore {

  /** Stores a new attempt with its tasks, each with its place. */
  public void insert(Handle handle, JobId job, int attempt, List<Task> tasks, Instant now) {
    handle
        .createUpdate("insert into attempt (job_id, number, created) values (:job, :number, :now)")
        .bind("job", job.value())
        .bind("number", attempt)
        .bind("now", now.toEpochMilli())
        .execute();
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into task (job_id, attempt, role, task_index, state, node, devices) \
            values (:job, :attempt, :role, :index, :state, :node, :devices)\
            """);
    for (Task task : tasks) {
      batch
          .bind("job", job.value())
          .bind("attempt", attempt)
          .bind("role", task.id().role())
          .bind("index", task.id().index())
          .bind("state", task.state().name())
          .bind("node", task.node())
          .bind(
              "devices",
              task.devices().stream().map(String::valueOf).collect(Collectors.joining(",")))
          .add();
    }
    batch.execute();
  }

  /** All tasks of an attempt that are not over run now. */
  public void started(Handle handle, JobId job, int attempt, Instant now) {
    handle
        .createUpdate("update attempt set started = :now where job_id = :job and number = :attempt")
        .bind("now", now.toEpochMilli())
        .bind("job", job.value())
        .bind("attempt", attempt)
        .execute();
    handle
        .createUpdate(
            """
            update task set state = 'RUNNING', started = :now where job_id = :job \
            and attempt = :attempt and state in ('ASSIGNED', 'STARTING')\
            """)
        .bind("now", now.toEpochMilli())
        .bind("job", job.value())
        .bind("attempt", attempt)
        .execute();
  }

  /** All tasks of an attempt that are not over were told to end. */
  public void stopping(Handle handle, JobId job, int attempt) {
    handle
        .createUpdate(
            """
            update task set state = 'STOPPING' where job_id = :job and attempt = :attempt \
            and state in ('ASSIGNED', 'STARTING', 'RUNNING')\
            """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .execute();
  }

  /** Records how tasks ended, unless that is recorded: the first end stays. */
  public void ended(Handle handle, List<EndedTask> tasks) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            update task set state = 'ENDED', ended = :at, end_order = :order, \
            exit_code = :code, exit_reason = :reason, detail = :detail \
            where job_id = :job and attempt = :attempt and role = :role and task_index = :index \
            and state <> 'ENDED'\
            """);
    for (EndedTask task : tasks) {
      batch
          .bind("job", task.id().job().value())
          .bind("attempt", task.id().attempt())
          .bind("role", task.id().role())
          .bind("index", task.id().index())
          .bind("at", task.end().at().toEpochMilli())
          .bind("order", task.order())
          .bind("code", task.end().exitCode())
          .bind("reason", task.end().reason().name())
          .bind("detail", task.end().detail())
          .add();
    }
    batch.execute();
  }

  /**
   * A task that is over.
   *
   * @param order its place among the ends of its attempt, from 1
   */
  public record EndedTask(TaskId id, TaskEnd end, int order) {}

  /** Stores how an attempt will end; {@code over} is there once no task is left. */
  public void decided(
      Handle handle, JobId job, int attempt, AttemptEnd end, Optional<Instant> over) {
    Update update =
        handle
            .createUpdate(
                """
                update attempt set succeeded = :succeeded, exit_code = :code, \
                reason_code = :reasonCode, reason_params = :reasonParams, ended = :ended \
                where job_id = :job and number = :attempt\
                """)
            .bind("succeeded", end.succeeded() ? 1 : 0)
            .bind("code", end.exitCode().isPresent() ? end.exitCode().getAsInt() : null)
            .bind("reasonCode", end.reason().map(reason -> reason.code()).orElse(null))
            .bind(
                "reasonParams",
                end.reason().map(reason -> StoredJson.write(reason.params())).orElse(null))
            .bind("job", job.value())
            .bind("attempt", attempt);
    JobStore.bindMillis(update, "ended", over);
    update.execute();
  }

  /** How the attempt will end, if that is decided. */
  public Optional<AttemptEnd> findDecided(Handle handle, JobId job, int attempt) {
    return handle
        .createQuery(
            """
            select succeeded, exit_code, reason_code, reason_params from attempt \
            where job_id = :job and number = :attempt and succeeded is not null\
            """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .map(
            (rows, _) ->
                new AttemptEnd(
                    rows.getInt("succeeded") == 1,
                    JobStore.number(rows, "exit_code"),
                    StoredJson.message(
                        rows.getString("reason_code"), rows.getString("reason_params"))))
        .findOne();
  }

  /** The tasks of an attempt; the ended ones first, in the order in which they ended. */
  public List<Task> list(Handle handle, JobId job, int attempt) {
    return handle
        .createQuery(
            """
            select role, task_index, state, node, devices, started, ended, exit_code, \
            exit_reason, detail from task where job_id = :job and attempt = :attempt \
            order by case when end_order is null then 1 else 0 end, end_order, role, \
            task_index\
            """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .map((rows, _) -> task(job, attempt, rows))
        .list();
  }

  /** One task, if the attempt is there. */
  public Optional<Task> find(Handle handle, TaskId id) {
    return handle
        .createQuery(
            """
            select role, task_index, state, node, devices, started, ended, exit_code, \
            exit_reason, detail from task where job_id = :job and attempt = :attempt \
            and role = :role and task_index = :index\
            """)
        .bind("job", id.job().value())
        .bind("attempt", id.attempt())
        .bind("role", id.role())
        .bind("index", id.index())
        .map((rows, _) -> task(id.job(), id.attempt(), rows))
        .findOne();
  }

  private static Task task(JobId job, int attempt, ResultSet rows) throws SQLException {
    return new Task(
        new TaskId(job, attempt, rows.getString("role"), rows.getInt("task_index")),
        TaskState.valueOf(rows.getString("state")),
        rows.getString("node"),
        devices(rows.getString("devices")),
        JobStore.time(rows, "started"),
        end(rows));
  }

  private static List<Integer> devices(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
  }

  private static Optional<TaskEnd> end(ResultSet rows) throws SQLException {
    Optional<Instant> at = JobStore.time(rows, "ended");
    OptionalInt code = JobStore.number(rows, "exit_code");
    if (at.isEmpty() || code.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new TaskEnd(
            code.getAsInt(),
            ExitReason.valueOf(rows.getString("exit_reason")),
            rows.getString("detail"),
            at.get()));
  }
}
