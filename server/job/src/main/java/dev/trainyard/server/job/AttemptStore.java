package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Update;

/** SQL statements for attempts and their tasks. The state of a task never moves backward. */
public final class AttemptStore {

  /** Columns of a finished task. */
  static final String ENDED_COLUMNS =
      """
      role, task_index, retry, node, engine, devices, ports, address, started, ended, exit_code, \
      exit_reason, detail\
      """;

  private static final String TASK_COLUMNS = ENDED_COLUMNS + ", state";

  /** Stores the newest attempt of a job with its placed tasks. */
  public void insert(Handle handle, Job job, List<Task> tasks, Instant now) {
    int attempt = job.status().attempt();
    handle
        .createUpdate(
            """
            insert into attempt (job_id, number, cause, created) \
            values (:job, :number, :cause, :now)\
            """)
        .bind("job", job.id().value())
        .bind("number", attempt)
        .bind("cause", job.status().retries().cause().name())
        .bind("now", now.toEpochMilli())
        .execute();
    insertTasks(handle, job, tasks);
  }

  /** Stores placed tasks of the newest attempt. */
  public void insertTasks(Handle handle, Job job, List<Task> tasks) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into task (job_id, attempt, role, task_index, retry, state, node, engine, \
            devices, ports) \
            values (:job, :attempt, :role, :index, :retry, :state, :node, :engine, :devices, \
            :ports)\
            """);
    for (Task task : tasks) {
      batch
          .bind("job", job.id().value())
          .bind("attempt", job.status().attempt())
          .bind("role", task.id().role())
          .bind("index", task.id().index())
          .bind("retry", task.id().retry())
          .bind("state", task.state().name())
          .bind("node", task.node())
          .bind("engine", task.engine())
          .bind(
              "devices",
              task.devices().stream().map(String::valueOf).collect(Collectors.joining(",")))
          .bind("ports", task.ports().text())
          .add();
    }
    batch.execute();
  }

  /**
   * Deletes the rows of ended tasks before their next runs are stored; {@link PreviousRunStore}
   * keeps the previous runs.
   */
  public void deleteEnded(Handle handle, List<Task> nextRuns) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            delete from task where job_id = :job and attempt = :attempt and role = :role \
            and task_index = :index and retry < :retry and state = 'ENDED'\
            """);
    for (Task task : nextRuns) {
      batch
          .bind("job", task.id().job().value())
          .bind("attempt", task.id().attempt())
          .bind("role", task.id().role())
          .bind("index", task.id().index())
          .bind("retry", task.id().retry())
          .add();
    }
    batch.execute();
  }

  /**
   * Records the start times and addresses of these tasks of an attempt. Tasks that are ASSIGNED or
   * STARTING become RUNNING; other tasks keep their state.
   */
  public void recordStarts(
      Handle handle, JobId job, int attempt, Map<TaskId, String> addresses, Instant now) {
    handle
        .createUpdate(
            """
            update attempt set started = coalesce(started, :now) \
            where job_id = :job and number = :attempt\
            """)
        .bind("now", now.toEpochMilli())
        .bind("job", job.value())
        .bind("attempt", attempt)
        .execute();
    PreparedBatch batch =
        handle.prepareBatch(
            """
            update task set address = :address, started = :now, \
            state = case when state in ('ASSIGNED', 'STARTING') then 'RUNNING' else state end \
            where job_id = :job and attempt = :attempt and role = :role and task_index = :index \
            and retry = :retry\
            """);
    addresses.forEach(
        (task, address) ->
            batch
                .bind("address", address)
                .bind("now", now.toEpochMilli())
                .bind("job", job.value())
                .bind("attempt", attempt)
                .bind("role", task.role())
                .bind("index", task.index())
                .bind("retry", task.retry())
                .add());
    batch.execute();
  }

  /** Marks all unfinished tasks of an attempt as STOPPING. */
  public void markStopping(Handle handle, JobId job, int attempt) {
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

  /**
   * Records the ends of tasks. An end that is already recorded is kept. Returns the tasks whose end
   * was not recorded before.
   */
  public List<EndedTask> recordEnds(Handle handle, List<EndedTask> tasks) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            update task set state = 'ENDED', ended = :at, end_order = :order, \
            exit_code = :code, exit_reason = :reason, detail = :detail \
            where job_id = :job and attempt = :attempt and role = :role and task_index = :index \
            and retry = :retry and state <> 'ENDED'\
            """);
    for (EndedTask task : tasks) {
      batch
          .bind("job", task.id().job().value())
          .bind("attempt", task.id().attempt())
          .bind("role", task.id().role())
          .bind("index", task.id().index())
          .bind("retry", task.id().retry())
          .bind("at", task.end().at().toEpochMilli())
          .bind("order", task.order())
          .bind("code", task.end().exitCode())
          .bind("reason", task.end().reason().name())
          .bind("detail", task.end().detail())
          .add();
    }
    int[] updateCounts = batch.execute();
    List<EndedTask> newlyEnded = new ArrayList<>();
    for (int i = 0; i < updateCounts.length; i++) {
      if (updateCounts[i] == 1) {
        newlyEnded.add(tasks.get(i));
      }
    }
    return newlyEnded;
  }

  /**
   * A finished task.
   *
   * @param order position of this task in the order in which the tasks of the attempt ended, from 1
   */
  public record EndedTask(TaskId id, TaskEnd end, int order) {}

  /**
   * Stores the decided outcome of an attempt.
   *
   * @param allTasksEnded time at which the last task ended; empty if tasks are still running
   */
  public void storeOutcome(
      Handle handle,
      JobId job,
      int attempt,
      AttemptEnd end,
      Optional<StopRequest> stop,
      Optional<Instant> allTasksEnded) {
    Update update =
        handle
            .createUpdate(
                """
                update attempt set succeeded = :succeeded, exit_code = :code, \
                reason_code = :reasonCode, reason_params = :reasonParams, \
                diagnosis = :diagnosis, stop_cause = :stopCause, stopped_by = :stoppedBy, ended = :ended \
                where job_id = :job and number = :attempt\
                """)
            .bind("succeeded", end.succeeded() ? 1 : 0)
            .bind("code", end.exitCode().isPresent() ? end.exitCode().getAsInt() : null)
            .bind("reasonCode", end.reason().map(reason -> reason.code()).orElse(null))
            .bind(
                "reasonParams",
                end.reason().map(reason -> StoredJson.write(reason.params())).orElse(null))
            .bind("diagnosis", end.diagnosis().map(StoredJson::write).orElse(null))
            .bind("stopCause", stop.map(request -> request.cause().name()).orElse(null))
            .bind("stoppedBy", stop.flatMap(StopRequest::by).orElse(null))
            .bind("job", job.value())
            .bind("attempt", attempt);
    JobStore.bindMillis(update, "ended", allTasksEnded);
    update.execute();
  }

  /**
   * Returns the diagnosis of the newest attempt of each of these jobs; omits jobs without a
   * diagnosis.
   */
  Map<JobId, TaskDiagnosis> newestDiagnoses(Handle handle, List<JobId> jobs) {
    Map<JobId, TaskDiagnosis> found = new HashMap<>();
    handle
        .createQuery(
            """
            select attempt.job_id, attempt.diagnosis from attempt join job \
            on job.id = attempt.job_id and job.attempt = attempt.number \
            where attempt.job_id in (<jobs>) and attempt.diagnosis is not null\
            """)
        .bindList("jobs", jobs.stream().map(JobId::value).toList())
        .map(
            (rows, _) ->
                Map.entry(new JobId(rows.getString("job_id")), rows.getString("diagnosis")))
        .forEach(
            row ->
                StoredJson.diagnosis(row.getValue())
                    .ifPresent(diagnosis -> found.put(row.getKey(), diagnosis)));
    return found;
  }

  /** Returns the newest attempts whose number is below a number, newest first. */
  List<Attempt> listAttempts(Handle handle, JobId job, int below, int limit) {
    return handle
        .createQuery(
            """
            select number, cause, created, started, ended, succeeded, exit_code, reason_code, \
            reason_params, diagnosis, stop_cause, stopped_by from attempt \
            where job_id = :job and number < :below order by number desc limit :limit\
            """)
        .bind("job", job.value())
        .bind("below", below)
        .bind("limit", limit)
        .map((rows, _) -> attempt(rows))
        .list();
  }

  private static Attempt attempt(ResultSet rows) throws SQLException {
    OptionalInt succeeded = JobStore.nullableInt(rows, "succeeded");
    Optional<AttemptEnd> end = Optional.empty();
    if (succeeded.isPresent()) {
      end =
          Optional.of(
              new AttemptEnd(
                  succeeded.getAsInt() == 1,
                  JobStore.nullableInt(rows, "exit_code"),
                  StoredJson.message(
                      rows.getString("reason_code"), rows.getString("reason_params")),
                  StoredJson.diagnosis(rows.getString("diagnosis"))));
    }
    return new Attempt(
        rows.getInt("number"),
        AttemptCause.valueOf(rows.getString("cause")),
        Instant.ofEpochMilli(rows.getLong("created")),
        JobStore.nullableTime(rows, "started"),
        JobStore.nullableTime(rows, "ended"),
        end,
        Optional.ofNullable(rows.getString("stop_cause")).map(StopCause::valueOf),
        Optional.ofNullable(rows.getString("stopped_by")));
  }

  /**
   * Returns the tasks of an attempt. Ended tasks come first, in the order in which they ended; the
   * other tasks follow, ordered by role and index.
   */
  public List<Task> list(Handle handle, JobId job, int attempt) {
    return handle
        .createQuery(
            "select "
                + TASK_COLUMNS
                + " "
                + """
                from task where job_id = :job and attempt = :attempt \
                    order by case when end_order is null then 1 else 0 end, end_order, role, \
                    task_index\
                """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .map((rows, _) -> task(job, attempt, rows))
        .list();
  }

  /**
   * Returns the tasks of a role whose index is at least {@code from} and less than {@code to},
   * ordered by index.
   */
  List<Task> list(Handle handle, JobId job, int attempt, String role, int from, int to) {
    return handle
        .createQuery(
            "select "
                + TASK_COLUMNS
                + " "
                + """
                from task where job_id = :job and attempt = :attempt and role = :role \
                    and task_index >= :from and task_index < :to order by task_index\
                """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .bind("role", role)
        .bind("from", from)
        .bind("to", to)
        .map((rows, _) -> task(job, attempt, rows))
        .list();
  }

  /** Returns the number of tasks of each role in each state. */
  List<TaskPages.Count> count(Handle handle, JobId job, int attempt) {
    return handle
        .createQuery(
            """
            select role, state, count(*) as tasks from task \
            where job_id = :job and attempt = :attempt group by role, state order by role, state\
            """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .map(
            (rows, _) ->
                new TaskPages.Count(
                    rows.getString("role"),
                    TaskState.valueOf(rows.getString("state")),
                    rows.getInt("tasks")))
        .list();
  }

  /**
   * Returns the newest run of a task, regardless of the run in the ID; empty if the attempt has no
   * such task.
   */
  public Optional<Task> find(Handle handle, TaskId id) {
    return handle
        .createQuery(
            "select "
                + TASK_COLUMNS
                + " "
                + """
                from task where job_id = :job and attempt = :attempt \
                    and role = :role and task_index = :index\
                """)
        .bind("job", id.job().value())
        .bind("attempt", id.attempt())
        .bind("role", id.role())
        .bind("index", id.index())
        .map((rows, _) -> task(id.job(), id.attempt(), rows))
        .findOne();
  }

  /** Returns the number of unfinished tasks by engine. */
  public static Map<String, Integer> unfinishedByEngine(Handle handle) {
    Map<String, Integer> counts = new TreeMap<>();
    handle
        .createQuery(
            """
            select t.engine, count(*) from task t join job j on j.id = t.job_id \
            where t.state <> 'ENDED' and j.state in (\
            """
                + JobStore.UNFINISHED_STATES
                + ") group by t.engine")
        .map((rows, _) -> Map.entry(rows.getString(1), rows.getInt(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  private static Task task(JobId job, int attempt, ResultSet rows) throws SQLException {
    return task(job, attempt, rows, TaskState.valueOf(rows.getString("state")));
  }

  /** Reads a task from a table without a state column, in which all tasks have ended. */
  static Task ended(JobId job, int attempt, ResultSet rows) throws SQLException {
    return task(job, attempt, rows, TaskState.ENDED);
  }

  private static Task task(JobId job, int attempt, ResultSet rows, TaskState state)
      throws SQLException {
    return new Task(
        new TaskId(
            job, attempt, rows.getString("role"), rows.getInt("task_index"), rows.getInt("retry")),
        state,
        rows.getString("node"),
        rows.getString("engine"),
        devices(rows.getString("devices")),
        TaskPorts.parse(rows.getString("ports")),
        Optional.ofNullable(rows.getString("address")),
        JobStore.nullableTime(rows, "started"),
        end(rows));
  }

  private static List<Integer> devices(String text) {
    return text.isEmpty()
        ? List.of()
        : Arrays.stream(text.split(",", -1)).map(Integer::valueOf).toList();
  }

  private static Optional<TaskEnd> end(ResultSet rows) throws SQLException {
    Optional<Instant> endTime = JobStore.nullableTime(rows, "ended");
    OptionalInt code = JobStore.nullableInt(rows, "exit_code");
    if (endTime.isEmpty() || code.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new TaskEnd(
            code.getAsInt(),
            ExitReason.valueOf(rows.getString("exit_reason")),
            rows.getString("detail"),
            endTime.get()));
  }
}
