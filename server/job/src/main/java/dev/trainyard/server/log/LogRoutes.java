package dev.trainyard.server.log;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.http.WatchedSink;
import dev.trainyard.server.job.JobService;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** {@code /api/v3/jobs/{job}/logs}. */
public final class LogRoutes {
  private final JobService jobs;
  private final LogStore store;
  private final LogTail tail;
  private final LogRemovalStore removals;
  private final LogLineRoutes lineRoutes;

  public LogRoutes(JobService jobs, LogStore store, LogTail tail, LogRemovalStore removals) {
    this.jobs = jobs;
    this.store = store;
    this.tail = tail;
    this.removals = removals;
    this.lineRoutes = new LogLineRoutes(jobs, store, removals);
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/jobs/:job/logs/:role/:index/:stream", Access.USER, this::read);
    lineRoutes.addTo(routes);
  }

  private Object read(Request request) throws IOException {
    LogAddress log = LogAddress.of(request, jobs, removals, store);
    TaskId task = log.task();
    LogStream stream = log.stream();
    long requestedOffset = LogAddress.number(request, "offset").orElse(0L);
    long limit = LogAddress.number(request, "limit").orElse(Long.MAX_VALUE);
    if (limit < 0) {
      throw LogAddress.badRequest("limit", Message.of("error.not-a-number", "value", limit));
    }
    boolean follow = request.query("follow").map(value -> !value.equals("false")).orElse(false);
    long length = store.length(task, stream);
    long from =
        requestedOffset < 0
            ? Math.max(0, length + requestedOffset)
            : Math.min(requestedOffset, length);
    Reply.Stream body;
    if (follow) {
      LogFollowers.Slot slot = tail.reserve(request.caller().userId());
      body = sink -> tail.follow(slot, task, stream, from, limit, sink);
    } else {
      long end = Math.min(length, addSaturated(from, limit));
      body = sink -> store.copy(task, stream, from, end, sink);
    }
    BooleanSupplier stillAllowed =
        () -> request.isStillSignedIn() && jobs.mayStillView(request.caller(), task.job());
    Reply.Stream checkedBody =
        sink -> body.writeTo(new WatchedSink(sink, stillAllowed, WatchedSink.CHECK_INTERVAL));
    return Reply.of(200, checkedBody)
        .with("Content-Type", "application/octet-stream")
        .with("X-Content-Type-Options", "nosniff")
        .with("Cache-Control", "no-store")
        .with("X-Log-Offset", String.valueOf(from));
  }

  private static long addSaturated(long from, long limit) {
    return limit > Long.MAX_VALUE - from ? Long.MAX_VALUE : from + limit;
  }
}
