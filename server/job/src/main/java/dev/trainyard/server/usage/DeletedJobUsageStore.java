package dev.trainyard.server.usage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.trainyard.model.JobId;
import dev.trainyard.server.db.StoredJsonMapper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * SQL statements for the usage of deleted jobs. This usage is kept so that deleting a job does not
 * reduce the usage of its owner.
 */
public final class DeletedJobUsageStore {
  private static final JsonMapper JSON = StoredJsonMapper.builder().build();
  private static final String INSERT =
      "insert into past_run (job_id, user_id, user_name, virtual_cluster, cpus, node, devices,"
          + " started, ended) select j.id, j.user_id, j.user_name, j.virtual_cluster, ";

  private DeletedJobUsageStore() {}

  /**
   * Stores the usage of a finished job, in the transaction that deletes the job and before its rows
   * are deleted.
   */
  public static void store(Handle handle, JobId job) {
    Map<String, Long> cpus = cpusByRole(handle, job.value());
    for (String table :
        List.of(
            "task" + UsageStore.OF_JOB + UsageStore.WITHOUT_EARLIER_RUNS,
            "earlier_run" + UsageStore.OF_JOB)) {
      if (cpus.size() <= 1) {
        String cpusPerTask = "j.cpus / (case when j.task_count < 1 then 1 else j.task_count end)";
        insert(handle, job, cpusPerTask, table, Map.of());
      } else {
        cpus.forEach(
            (role, cpusPerTask) ->
                insert(
                    handle,
                    job,
                    ":each",
                    table + " and t.role = :role",
                    bindings(role, cpusPerTask)));
      }
    }
  }

  private static Map<String, Object> bindings(String role, long cpusPerTask) {
    return Map.of("role", role, "each", cpusPerTask);
  }

  private static void insert(
      Handle handle, JobId job, String cpusPerTask, String table, Map<String, Object> values) {
    handle
        .createUpdate(
            INSERT
                + cpusPerTask
                + ", t.node, t.devices, t.started, coalesce(t.ended, j.ended, t.started) from "
                + table)
        .bind("job", job.value())
        .bindMap(values)
        .execute();
  }

  /** Returns the CPUs per task of each role; empty if the spec cannot be read. */
  static Map<String, Long> cpusByRole(Handle handle, String job) {
    Map<String, Long> cpus = new HashMap<>();
    handle
        .createQuery("select spec from job_config where job_id = :job")
        .bind("job", job)
        .mapTo(String.class)
        .findOne()
        .map(DeletedJobUsageStore::json)
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

  /**
   * Parses a spec. Returns a missing node for an unreadable spec, because its job must still be
   * deletable.
   */
  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
