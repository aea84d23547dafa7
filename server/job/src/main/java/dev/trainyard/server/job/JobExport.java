package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Csv;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes a list of jobs as CSV in chunks, so that memory use does not depend on the length of the
 * list and no database read takes long.
 */
final class JobExport {
  private static final int ROWS_PER_CHUNK = 500;

  /**
   * Maximum number of IDs that one search returns. Each search sorts all jobs, so few searches must
   * be sufficient.
   */
  private static final int IDS_PER_SEARCH = 50_000;

  private static final List<String> HEADING =
      List.of(
          "id",
          "name",
          "user",
          "state",
          "reason",
          "exitCode",
          "virtualCluster",
          "image",
          "tasks",
          "cpus",
          "memoryMB",
          "devices",
          "attempt",
          "submitted",
          "started",
          "ended",
          "tags");

  private final JobService jobs;
  private final Caller caller;
  private final BooleanSupplier stillAllowed;

  JobExport(JobService jobs, Caller caller, BooleanSupplier stillAllowed) {
    this.jobs = jobs;
    this.caller = caller;
    this.stillAllowed = stillAllowed;
  }

  Reply list(Optional<String> user, JobFilter filter) {
    return reply(
        sink -> {
          Optional<JobId> after = filter.after();
          boolean hasMore = true;
          while (hasMore) {
            JobFilter next =
                new JobFilter(
                    filter.owners(), filter.states(), filter.namePrefix(), after, ROWS_PER_CHUNK);
            // Runs in a pool, because a user may read hundreds of lists at a time.
            ListChunk chunk = WorkPools.SHORT_PARSING.resume(() -> chunk(user, next));
            requireAllowed();
            write(sink, chunk.rows());
            JobService.Page page = chunk.page();
            hasMore = page.more();
            after = hasMore ? Optional.of(page.jobs().getLast().id()) : after;
          }
        });
  }

  Reply search(JobSearch search) {
    // Jobs submitted during the export would shift the remaining rows, so that rows would be
    // repeated. The export therefore omits jobs that are submitted after the newest job that
    // matches now. This search runs before the response begins, so that the request can still be
    // rejected.
    List<Job> newestMatch =
        WorkPools.PARSING.run(() -> jobs.lists().search(caller, search.newest()).jobs());
    return reply(
        sink -> {
          JobSearch boundedSearch =
              newestMatch.isEmpty() ? search : search.notAfter(newestMatch.getFirst().id());
          int offset = search.offset();
          int idCount = newestMatch.isEmpty() ? 0 : IDS_PER_SEARCH;
          while (idCount == IDS_PER_SEARCH) {
            JobSearch next = boundedSearch.page(offset, IDS_PER_SEARCH);
            List<JobId> ids = WorkPools.PARSING.resume(() -> jobs.lists().ids(caller, next));
            for (int from = 0; from < ids.size(); from += ROWS_PER_CHUNK) {
              List<JobId> chunkIds = ids.subList(from, Math.min(from + ROWS_PER_CHUNK, ids.size()));
              String rows =
                  WorkPools.SHORT_PARSING.resume(
                      () -> {
                        var chunk = jobs.lists().load(chunkIds);
                        return rows(chunk.jobs(), chunk.tags());
                      });
              requireAllowed();
              write(sink, rows);
            }
            idCount = ids.size();
            offset += idCount;
          }
        });
  }

  private static Reply reply(Reply.Stream rows) {
    Reply.Stream body =
        sink -> {
          write(sink, Csv.heading(HEADING));
          rows.writeTo(sink);
        };
    return Reply.of(200, body)
        .with("Content-Type", "text/csv; charset=utf-8")
        .with("Content-Disposition", "attachment; filename=\"trainyard-jobs.csv\"")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store");
  }

  private record ListChunk(JobService.Page page, String rows) {}

  private ListChunk chunk(Optional<String> user, JobFilter filter) {
    JobService.Page page = jobs.list(caller, user, filter);
    return new ListChunk(page, rows(page.jobs(), jobs.tags().of(page.jobs())));
  }

  private void requireAllowed() throws IOException {
    if (!stillAllowed.getAsBoolean()) {
      throw new IOException("the sign-in is no longer valid");
    }
  }

  private String rows(List<Job> foundJobs, Map<JobId, List<String>> tags) {
    List<Optional<Message>> reasons = jobs.reasons(foundJobs);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < foundJobs.size(); i++) {
      Job job = foundJobs.get(i);
      text.append(row(job, reasons.get(i), tags.getOrDefault(job.id(), List.of())));
    }
    return text.toString();
  }

  private static void write(Reply.Sink sink, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    sink.write(bytes, 0, bytes.length);
  }

  /** Formats a row with the same values as in JSON. */
  private static String row(Job job, Optional<Message> reason, List<String> tags) {
    Map<String, Object> view = JobView.job(job, reason);
    return Csv.row(
        HEADING.stream()
            .map(
                column ->
                    switch (column) {
                      case "tags" -> String.join(",", tags);
                      case "tasks" -> text(view.get("taskCount"));
                      case "submitted", "started", "ended" -> time(view.get(column));
                      default -> text(view.get(column));
                    })
            .toList());
  }

  private static String text(Object value) {
    return value == null ? "" : value.toString();
  }

  private static String time(Object millis) {
    return millis instanceof Long value ? Instant.ofEpochMilli(value).toString() : "";
  }
}
