package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * SQL statements for the numbers of jobs that have finished since the installation. A job is
 * counted in the transaction that ends the job, so that the numbers neither depend on restarts nor
 * decrease when jobs are deleted. The number for each final state is the sum of several rows,
 * because concurrent PostgreSQL transactions that change the same row conflict and must be retried.
 */
public final class FinishedJobStore {
  /** Number of rows per state: several times the number of connections that write. */
  static final int ROWS_PER_STATE = 64;

  private static final String PREFIX = "finished_jobs_";

  private FinishedJobStore() {}

  static void add(Handle handle, JobId job, JobState state) {
    int row = Math.floorMod(job.value().hashCode(), ROWS_PER_STATE);
    handle.execute(
        "insert into counter (name, next_value) values (?, 1)"
            + " on conflict (name) do update set next_value = counter.next_value + 1",
        name(state) + "_" + row);
  }

  private static String name(JobState state) {
    return PREFIX + state.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the number of finished jobs for each final state. */
  public static Map<JobState, Long> load(Handle handle) {
    Map<String, Long> counters =
        handle
            .createQuery("select name, next_value from counter where name like 'finished%'")
            .collectRows(
                java.util.stream.Collectors.toMap(
                    // The row whose name has no number contains jobs that were counted when a state
                    // had only one row.
                    row -> row.getColumn("name", String.class).replaceFirst("_\\d+$", ""),
                    row -> row.getColumn("next_value", Long.class),
                    Long::sum));
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        counts.put(state, counters.getOrDefault(name(state), 0L));
      }
    }
    return counts;
  }
}
