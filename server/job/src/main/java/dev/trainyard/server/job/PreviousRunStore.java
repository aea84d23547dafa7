package dev.trainyard.server.job;

import dev.trainyard.model.AttemptCause;
import dev.trainyard.model.JobId;
import dev.trainyard.model.RetryRule;
import dev.trainyard.model.TaskId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** SQL statements for previous runs of tasks that were retried individually. */
public final class PreviousRunStore {
  private static final String COLUMNS =
      AttemptStore.ENDED_COLUMNS + ", cause, not_before, back_off, counted, faults, conflicts";

  private PreviousRunStore() {}

  /** Stores finished runs; idempotent. */
  public static void insert(Handle handle, List<PreviousRun> runs) {
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into earlier_run (job_id, attempt, role, task_index, retry, node, engine, \
            devices, ports, address, started, ended, exit_code, exit_reason, detail, cause, not_before, \
            back_off, counted, faults, conflicts) \
            select job_id, attempt, role, task_index, retry, node, engine, devices, ports, \
            address, started, ended, exit_code, exit_reason, detail, :cause, cast(:notBefore as bigint), \
            :backOff, :counted, :faults, :conflicts from task \
            where job_id = :job and attempt = :attempt and role = :role and task_index = :index \
            and retry = :retry \
            on conflict (job_id, attempt, role, task_index, retry) do nothing\
            """);
    for (PreviousRun run : runs) {
      RetryState next = run.next();
      batch
          .bind("job", run.id().job().value())
          .bind("attempt", run.id().attempt())
          .bind("role", run.id().role())
          .bind("index", run.id().index())
          .bind("retry", run.id().retry())
          .bind("cause", next.cause().name())
          .bind("notBefore", next.notBefore().map(Instant::toEpochMilli).orElse(null))
          .bind("backOff", next.backOff().toMillis())
          .bind("counted", next.past().counted())
          .bind("faults", next.past().faults())
          .bind("conflicts", next.past().conflicts())
          .add();
    }
    batch.execute();
  }

  /** Returns the newest previous run of each retried task of an attempt. */
  public static List<PreviousRun> newest(Handle handle, JobId job, int attempt) {
    return handle
        .createQuery(
            "select "
                + COLUMNS
                + " "
                + """
                from earlier_run e where job_id = :job and attempt = :attempt and retry = \
                (select max(retry) from earlier_run l where l.job_id = e.job_id and \
                l.attempt = e.attempt and l.role = e.role and l.task_index = e.task_index)\
                """)
        .bind("job", job.value())
        .bind("attempt", attempt)
        .map((rows, _) -> run(job, attempt, rows))
        .list();
  }

  /**
   * Returns the ID of the current or next run of each retried task of the newest attempts of these
   * jobs.
   */
  static Set<TaskId> currentRuns(Handle handle, Collection<JobId> jobs) {
    Set<TaskId> runs = new HashSet<>();
    List<String> values = jobs.stream().map(JobId::value).toList();
    for (int start = 0; start < values.size(); start += JobStore.MAX_LIST_LENGTH) {
      int end = Math.min(values.size(), start + JobStore.MAX_LIST_LENGTH);
      handle
          .createQuery(
              """
              select e.job_id, e.attempt, e.role, e.task_index, max(e.retry) newest \
              from earlier_run e join job on job.id = e.job_id and job.attempt = e.attempt \
              where e.job_id in (<jobs>) group by e.job_id, e.attempt, e.role, e.task_index\
              """)
          .bindList("jobs", values.subList(start, end))
          .map(
              (rows, _) ->
                  new TaskId(
                      new JobId(rows.getString("job_id")),
                      rows.getInt("attempt"),
                      rows.getString("role"),
                      rows.getInt("task_index"),
                      rows.getInt("newest") + 1))
          .forEach(runs::add);
    }
    return runs;
  }

  /** Returns the previous runs of a task whose number is below {@code below}, newest first. */
  static List<PreviousRun> list(Handle handle, TaskId task, int below, int limit) {
    return handle
        .createQuery(
            "select "
                + COLUMNS
                + " "
                + """
                from earlier_run where job_id = :job and attempt = :attempt and role = :role \
                and task_index = :index and retry < :below order by retry desc limit :limit\
                """)
        .bind("job", task.job().value())
        .bind("attempt", task.attempt())
        .bind("role", task.role())
        .bind("index", task.index())
        .bind("below", below)
        .bind("limit", limit)
        .map((rows, _) -> run(task.job(), task.attempt(), rows))
        .list();
  }

  private static PreviousRun run(JobId job, int attempt, ResultSet rows) throws SQLException {
    var past =
        new RetryRule.Past(
            rows.getInt("counted"), rows.getInt("faults"), rows.getInt("conflicts"), Map.of());
    Optional<Instant> notBefore = JobStore.nullableTime(rows, "not_before");
    RetryState next =
        new RetryState(
            past,
            AttemptCause.valueOf(rows.getString("cause")),
            notBefore,
            Duration.ofMillis(rows.getLong("back_off")));
    return new PreviousRun(AttemptStore.ended(job, attempt, rows), next);
  }
}
