package dev.trainyard.server.job;

import dev.trainyard.model.AppException;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * Reads, in pages, the jobs that wait or hold resources. A spec may have several megabytes and need
 * several times as much memory, so all specs together may not fit into memory.
 */
final class UnfinishedJobStore {
  private static final int MAX_JOBS_PER_PAGE = 500;
  private static final long MAX_BYTES_PER_PAGE = 2 << 20;
  private static final String STATES =
      JobStore.quoted(JobState.WAITING, JobState.PREPARING, JobState.RUNNING, JobState.STOPPING);

  private UnfinishedJobStore() {}

  private record Range(String first, String last) {}

  /**
   * @param unreadable receives the jobs whose spec cannot be read, with the error
   */
  static void read(
      Handle handle,
      Consumer<JobStore.JobWithSpec> consumer,
      BiConsumer<Job, AppException> unreadable) {
    ranges(handle).forEach(range -> read(handle, range, consumer, unreadable));
  }

  private static List<Range> ranges(Handle handle) {
    record Size(String id, long bytes) {}
    List<Size> sizes =
        handle
            .createQuery(
                "select id, file_bytes from job where state in (" + STATES + ") order by id")
            .map((rows, _) -> new Size(rows.getString(1), rows.getLong(2)))
            .list();
    List<Range> ranges = new ArrayList<>();
    int first = 0;
    long bytes = 0;
    for (int i = 0; i < sizes.size(); i++) {
      bytes += sizes.get(i).bytes();
      if (i + 1 == sizes.size()
          || i + 1 - first == MAX_JOBS_PER_PAGE
          || bytes >= MAX_BYTES_PER_PAGE) {
        ranges.add(new Range(sizes.get(first).id(), sizes.get(i).id()));
        first = i + 1;
        bytes = 0;
      }
    }
    return ranges;
  }

  private static void read(
      Handle handle,
      Range range,
      Consumer<JobStore.JobWithSpec> consumer,
      BiConsumer<Job, AppException> unreadable) {
    record Row(Job job, String spec) {}
    handle
        .createQuery(
            "select "
                + JobRow.COLUMNS
                + ", spec from job join job_config on job_id = id where state in ("
                + STATES
                + ") and id between :first and :last order by id")
        .bind("first", range.first())
        .bind("last", range.last())
        .map((rows, _) -> new Row(JobRow.job(rows), rows.getString("spec")))
        .forEach(
            row -> {
              JobSpec spec;
              try {
                spec = StoredJson.spec(row.spec());
              } catch (AppException e) {
                unreadable.accept(row.job(), e);
                return;
              }
              consumer.accept(new JobStore.JobWithSpec(row.job(), spec));
            });
  }
}
