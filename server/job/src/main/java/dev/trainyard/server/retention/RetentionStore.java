package dev.trainyard.server.retention;

import dev.trainyard.model.JobId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** SQL statements for retention. All queries find only finished jobs. */
final class RetentionStore {
  private static final String FINISHED = "state in ('SUCCEEDED', 'FAILED', 'STOPPED')";

  /** Returns the end times of these jobs; omits unfinished jobs. */
  Map<JobId, Instant> ends(Handle handle, Collection<JobId> jobs) {
    Map<JobId, Instant> ends = new HashMap<>();
    handle
        .createQuery(
            "select id, ended from job where id in (<ids>) and ended is not null and " + FINISHED)
        .bindList("ids", jobs.stream().map(JobId::value).toList())
        .map((rows, _) -> Map.entry(new JobId(rows.getString(1)), rows.getLong(2)))
        .forEach(end -> ends.put(end.getKey(), Instant.ofEpochMilli(end.getValue())));
    return ends;
  }

  /** Returns jobs that ended before a time, the oldest end first. */
  List<JobId> endedBefore(Handle handle, Instant time, int limit) {
    return handle
        .createQuery(
            "select id from job where ended < :time and "
                + FINISHED
                + " order by ended, id limit :limit")
        .bind("time", time.toEpochMilli())
        .bind("limit", limit)
        .mapTo(String.class)
        .map(JobId::new)
        .list();
  }

  long countEndedBefore(Handle handle, Instant time) {
    return handle
        .createQuery("select count(*) from job where ended < :time and " + FINISHED)
        .bind("time", time.toEpochMilli())
        .mapTo(Long.class)
        .one();
  }
}
