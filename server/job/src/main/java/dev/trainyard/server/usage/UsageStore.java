package dev.trainyard.server.usage;

import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * Reads every task run that was active in a time range, including runs of deleted jobs. If a task
 * is retried individually, its finished run is stored in a separate table when the run ends, but
 * the task's row is replaced only when the next run begins. Between these times, the run must not
 * be counted twice.
 */
final class UsageStore {
  private static final String COLUMNS =
      "select j.id, j.user_name, j.virtual_cluster, j.cpus, j.task_count, j.role_count,"
          + " t.role, t.node, t.devices, t.started, t.ended from ";
  private static final String ACTIVE_IN_RANGE =
      " t join job j on j.id = t.job_id where t.started is not null and t.started < :until"
          + " and (t.ended is null or t.ended > :since)";
  static final String OF_JOB =
      " t join job j on j.id = t.job_id where j.id = :job and t.started is not null";
  static final String WITHOUT_EARLIER_RUNS =
      " and not exists (select 1 from earlier_run e where e.job_id = t.job_id"
          + " and e.attempt = t.attempt and e.role = t.role and e.task_index = t.task_index"
          + " and e.retry = t.retry)";
  private static final String OF_USER = " and j.user_id = :user";
  private static final List<String> QUERIES =
      List.of(
          COLUMNS + "task" + ACTIVE_IN_RANGE + WITHOUT_EARLIER_RUNS,
          COLUMNS + "earlier_run" + ACTIVE_IN_RANGE,
          "select j.job_id as id, j.user_name, j.virtual_cluster, j.cpus, 1 as task_count,"
              + " 1 as role_count, '' as role, j.node, j.devices, j.started, j.ended"
              + " from past_run j where j.started < :until and j.ended > :since");

  private final BiFunction<String, Integer, String> models;

  /**
   * @param models returns the type of a device by node and index
   */
  UsageStore(BiFunction<String, Integer, String> models) {
    this.models = models;
  }

  /**
   * Selects the usage to report.
   *
   * @param userId ID of the user whose usage is reported; empty for all users
   * @param byCluster whether to sum by virtual cluster instead of by user
   * @param now end time to assume for runs that are still active
   */
  record UsageQuery(
      Instant since, Instant until, Optional<String> userId, boolean byCluster, Instant now) {}

  void read(Handle handle, UsageQuery usageQuery, Consumer<UsedTime> consumer) {
    Map<String, Map<String, Long>> cpus = new HashMap<>();
    for (String sql : QUERIES) {
      var query =
          handle
              .createQuery(sql + (usageQuery.userId().isPresent() ? OF_USER : ""))
              .bind("since", usageQuery.since().toEpochMilli())
              .bind("until", usageQuery.until().toEpochMilli());
      usageQuery.userId().ifPresent(user -> query.bind("user", user));
      query
          .map(
              (rows, _) -> {
                long ended = rows.getLong("ended");
                Instant until = rows.wasNull() ? usageQuery.now() : Instant.ofEpochMilli(ended);
                String node = rows.getString("node");
                return new Row(
                    rows.getString("id"),
                    rows.getString(usageQuery.byCluster() ? "virtual_cluster" : "user_name"),
                    rows.getLong("cpus"),
                    rows.getInt("task_count"),
                    rows.getInt("role_count"),
                    rows.getString("role"),
                    types(node, rows.getString("devices")),
                    Instant.ofEpochMilli(rows.getLong("started")),
                    until);
              })
          .forEach(row -> consumer.accept(row.toUsedTime(handle, cpus)));
    }
  }

  private List<String> types(String node, String indices) {
    return indices.isEmpty()
        ? List.of()
        : Arrays.stream(indices.split(",", -1))
            .map(index -> models.apply(node, Integer.valueOf(index)))
            .toList();
  }

  private record Row(
      String job,
      String subject,
      long cpus,
      int tasks,
      int roles,
      String role,
      List<String> devices,
      Instant from,
      Instant until) {
    /**
     * Returns the usage. All tasks of a role request the same resources, so only a job with several
     * roles needs a query.
     */
    UsedTime toUsedTime(Handle handle, Map<String, Map<String, Long>> cpusByJob) {
      long cpusPerTask =
          roles <= 1
              ? cpus / Math.max(1, tasks)
              : cpusByJob
                  .computeIfAbsent(job, id -> DeletedJobUsageStore.cpusByRole(handle, id))
                  .getOrDefault(role, 0L);
      return new UsedTime(job, subject, cpusPerTask, devices, from, until);
    }
  }
}
