package dev.trainyard.server.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobId;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.EveryDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

@EveryDatabase
class UsageTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant NOW = NOON.plus(Duration.ofDays(2));

  private final Db db;

  UsageTest(Db db) {
    this.db = db;
  }

  private void job(Handle handle, String id, String user, int cpus, int tasks, int roles) {
    handle.execute(
        "insert into job (id, version, user_id, user_name, name, state, format, image,"
            + " virtual_cluster, cpus, memory_mb, devices, task_count, role_count, attempt,"
            + " submitted) values (?, 1, ?, ?, ?, 'RUNNING', 'openpai-v1', 'i', 'lab', ?, 1, 0, ?,"
            + " ?, 1, 0)",
        id,
        "id-" + user,
        user,
        id,
        cpus,
        tasks,
        roles);
  }

  private void task(
      Handle handle,
      String job,
      String role,
      String devices,
      Instant from,
      Instant until,
      int attempt) {
    handle.execute(
        "insert into task (job_id, attempt, role, task_index, state, node, devices, started, ended,"
            + " retry) values (?, ?, ?, 0, 'ENDED', 'box', ?, ?, ?, 0)",
        job,
        attempt,
        role,
        devices,
        from.toEpochMilli(),
        until == null ? null : until.toEpochMilli());
  }

  private UsageTable read(Optional<String> user, boolean byCluster) {
    return read(user, byCluster, ZoneOffset.UTC);
  }

  private UsageTable read(Optional<String> user, boolean byCluster, ZoneId zone) {
    Instant since = NOON.minus(Duration.ofDays(1));
    var question = new UsageStore.UsageQuery(since, NOW, user, byCluster, NOW);
    UsageStore store = new UsageStore((node, index) -> index < 2 ? "a100" : "v100");
    return db.read(
        handle -> {
          UsageTable table = new UsageTable(since, NOW, zone);
          store.read(handle, question, table::add);
          return table;
        });
  }

  @Test
  void usage_countsFinishedAndActiveRuns() {
    db.write(
        handle -> {
          job(handle, "1", "alice", 4, 1, 1);
          // Two attempts: the second continues past midnight, and the first began before the range.
          task(handle, "1", "m", "0,2", NOON.minusSeconds(90_000), NOON.minusSeconds(82_800), 1);
          task(handle, "1", "m", "0", NOON, NOON.plusSeconds(13 * 3600), 2);
          job(handle, "2", "bob", 1, 1, 1);
          task(handle, "2", "m", "", NOW.minusSeconds(7200), null, 1);
          return null;
        });
    UsageTable table = read(Optional.empty(), false);
    UsageTable.Sums alice = table.totals().get("alice");
    assertThat(alice.jobs()).isEqualTo(1);
    assertThat(alice.cpuHours()).isEqualTo(4 * 14.0);
    assertThat(alice.deviceHours()).containsEntry("a100", 14.0).containsEntry("v100", 1.0);
    assertThat(table.totals().get("bob").cpuHours()).isEqualTo(2.0);
    assertThat(table.rows().keySet())
        .extracting(key -> key.day() + " " + key.subject())
        .containsExactly(
            "2026-02-28 alice", "2026-03-01 alice", "2026-03-02 alice", "2026-03-03 bob");
    assertThat(read(Optional.of("id-bob"), true).totals().keySet()).containsExactly("lab");
    assertThat(read(Optional.of("id-bob"), true).totals().get("lab").cpuHours()).isEqualTo(2.0);
  }

  @Test
  void usage_retriedRun_countsOnce() {
    db.write(
        handle -> {
          job(handle, "1", "alice", 1, 1, 1);
          task(handle, "1", "m", "", NOON, NOON.plusSeconds(3600), 1);
          handle.execute(
              "insert into earlier_run (job_id, attempt, role, task_index, retry, node, devices,"
                  + " ports, started, ended, exit_code, exit_reason, detail, cause, back_off,"
                  + " counted, faults, conflicts) values ('1', 1, 'm', 0, 0, 'box', '', '', ?, ?,"
                  + " 1, 'EXITED', '', 'FAILURE', 0, 1, 0, 0)",
              NOON.toEpochMilli(),
              NOON.plusSeconds(3600).toEpochMilli());
          return null;
        });
    assertThat(read(Optional.empty(), false).totals().get("alice").cpuHours()).isEqualTo(1.0);
    db.write(handle -> handle.execute("update task set retry = 1"));
    assertThat(read(Optional.empty(), false).totals().get("alice").cpuHours()).isEqualTo(2.0);
  }

  @Test
  void usage_severalRoles_areDistinguished() {
    db.write(
        handle -> {
          job(handle, "1", "alice", 5, 2, 2);
          handle.execute(
              "insert into job_config (job_id, raw, spec, warnings) values ('1', '', ?, '[]')",
              "{\"roles\":[{\"name\":\"a\",\"resources\":{\"cpus\":4}},"
                  + "{\"name\":\"b\",\"resources\":{\"cpus\":1}}]}");
          task(handle, "1", "a", "", NOON, NOON.plusSeconds(3600), 1);
          task(handle, "1", "b", "", NOON, NOON.plusSeconds(7200), 1);
          return null;
        });
    assertThat(read(Optional.empty(), false).totals().get("alice").cpuHours()).isEqualTo(6.0);
  }

  @Test
  void usage_deletedJob_stillCounts() {
    db.write(
        handle -> {
          job(handle, id(1), "alice", 5, 2, 2);
          handle.execute(
              "insert into job_config (job_id, raw, spec, warnings) values (?, '', ?, '[]')",
              id(1),
              "{\"roles\":[{\"name\":\"a\",\"resources\":{\"cpus\":4}},"
                  + "{\"name\":\"b\",\"resources\":{\"cpus\":1}}]}");
          task(handle, id(1), "a", "0,2", NOON, NOON.plusSeconds(3600), 1);
          task(handle, id(1), "b", "", NOON, NOON.plusSeconds(7200), 1);
          job(handle, id(2), "bob", 4, 2, 1);
          task(handle, id(2), "m", "1", NOON, NOON.plusSeconds(3600), 1);
          job(handle, id(3), "bob", 4, 1, 1);
          return null;
        });
    String before = summary(read(Optional.empty(), false));
    String clusters = summary(read(Optional.of("id-bob"), true));
    db.write(
        handle -> {
          for (String id : List.of(id(1), id(2), id(3))) {
            DeletedJobUsageStore.store(handle, new JobId(id));
            handle.execute("delete from job where id = ?", id);
          }
          return null;
        });
    assertThat(summary(read(Optional.empty(), false))).isEqualTo(before).contains("alice 1 6.0");
    assertThat(summary(read(Optional.of("id-bob"), true)))
        .isEqualTo(clusters)
        .contains("lab 1 2.0");
  }

  private static String id(int number) {
    return "0".repeat(25) + number;
  }

  private static String summary(UsageTable table) {
    StringBuilder text = new StringBuilder();
    table
        .totals()
        .forEach(
            (who, sums) ->
                text.append(who + " " + sums.jobs() + " " + sums.cpuHours())
                    .append(sums.deviceHours() + "\n"));
    return text.toString();
  }

  @Test
  void usage_days_useTimeZone() {
    db.write(
        handle -> {
          job(handle, "1", "alice", 1, 1, 1);
          // From 20:00 on March 1 to 04:00 on March 2 in Shanghai.
          task(handle, "1", "m", "", NOON, NOON.plusSeconds(8 * 3600), 1);
          return null;
        });
    UsageTable table = read(Optional.empty(), false, ZoneId.of("Asia/Shanghai"));
    assertThat(table.rows().values())
        .extracting(UsageTable.Sums::cpuHours)
        .containsExactly(4.0, 4.0);
    assertThat(table.rows().firstKey().day()).hasToString("2026-03-01");
  }
}
