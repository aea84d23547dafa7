package dev.trainyard.server.usage;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Reads every run of every task that was under way in a span of time. A run whose task is tried
 * again alone is written down apart at its end, and the task's own row goes only when the next run
 * begins: in between it must not count twice.
 */
final class UsageStore {
  private static final String COLUMNS =
      "select j.id, j.user_name, j.virtual_cluster, j.cpus, j.task_count, j.role_count,"
          + " t.role, t.node, t.devices, t.started, t.ended from ";
  private static final String WITHIN =
      " t join job j on j.id = t.job_id where t.started is not null and t.started < :until"
          + " and (t.ended is null or t.ended > :since)";
  private static final String OF_USER = " and j.user_id = :user";
  private static final String NOT_APART =
      " and not exists (select 1 from earlier_run e where e.job_id = t.job_id"
          + " and e.attempt = t.attempt and e.role = t.role and e.task_index = t.task_index"
          + " and e.retry = t.retry)";

  private final BiFunction<String, Integer, String> models;
  private final Function<String, JsonNode> specs;

  /**
   * @param models the type of a card, by machine and index
   * @param specs reads a stored job
   */
  UsageStore(BiFunction<String, Integer, String> models, Function<String, JsonNode> specs) {
    this.models = models;
    this.specs = specs;
  }

  /**
   * What is asked for.
   *
   * @param userId of whom only; empty for everybody
   * @param byCluster whether it counts for virtual clusters instead of users
   * @param now until when that counts which still runs
   */
  record Question(
      Instant since, Instant until, Optional<String> userId, boolean byCluster, Instant now) {}

  void read(Handle handle, Question question, Consumer<UsedTime> found) {
    Map<String, Map<String, Long>> cpus = new HashMap<>();
    for (String table : List.of("task" + WITHIN + NOT_APART, "earlier_run" + WITHIN)) {
      var query =
          handle
              .createQuery(COLUMNS + table + (question.userId().isPresent() ? OF_USER : ""))
              .bind("since", question.since().toEpochMilli())
              .bind("until", question.until().toEpochMilli());
      question.userId().ifPresent(user -> query.bind("user", user));
      query
          .map(
              (rows, _) -> {
                long ended = rows.getLong("ended");
                Instant until = rows.wasNull() ? question.now() : Instant.ofEpochMilli(ended);
                String node = rows.getString("node");
                return new Row(
                    rows.getString("id"),
                    rows.getString(question.byCluster() ? "virtual_cluster" : "user_name"),
                    rows.getLong("cpus"),
                    rows.getInt("task_count"),
                    rows.getInt("role_count"),
                    rows.getString("role"),
                    types(node, rows.getString("devices")),
                    Instant.ofEpochMilli(rows.getLong("started")),
                    until);
              })
          .forEach(row -> found.accept(row.used(handle, cpus, this)));
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
      String who,
      long cpus,
      int tasks,
      int roles,
      String role,
      List<String> devices,
      Instant from,
      Instant until) {
    /** Tasks of one role are alike; only a job of several has to be looked into. */
    UsedTime used(Handle handle, Map<String, Map<String, Long>> known, UsageStore store) {
      long each =
          roles <= 1
              ? cpus / Math.max(1, tasks)
              : known
                  .computeIfAbsent(job, id -> store.cpusByRole(handle, id))
                  .getOrDefault(role, 0L);
      return new UsedTime(job, who, each, devices, from, until);
    }
  }

  private Map<String, Long> cpusByRole(Handle handle, String job) {
    Map<String, Long> cpus = new HashMap<>();
    handle
        .createQuery("select spec from job_config where job_id = :job")
        .bind("job", job)
        .mapTo(String.class)
        .findOne()
        .map(specs)
        .ifPresent(
            spec ->
                spec.path("roles")
                    .forEach(
                        role ->
                            cpus.put(
                                role.path("name").asText(),
                                role.path("resources").path("cpus").asLong())));
    return cpus;
  }
}
