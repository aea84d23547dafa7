package dev.trainyard.server.log;

import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.work.HeavyWork;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines of a log: how many there are and where, and those that contain something. */
final class LogLineRoutes {
  /** One request reads so much at most, and says where to go on. */
  private static final long MOST_BYTES = 256L * 1024 * 1024;

  /** Read without a break; then others may read. */
  private static final long PIECE = 8L * 1024 * 1024;

  private static final int MOST_TEXTS = 30;
  private static final int LONGEST_TEXT = 200;
  private static final int MOST_MATCHES = 1000;
  private static final long DEFAULT_MATCHES = 100;
  private static final String LOG = "/api/v3/jobs/:job/logs/:role/:index/:stream";

  private final JobService jobs;
  private final LogStore store;
  private final LogRemovals removals;

  LogLineRoutes(JobService jobs, LogStore store, LogRemovals removals) {
    this.jobs = jobs;
    this.store = store;
    this.removals = removals;
  }

  void addTo(Routes routes) {
    routes.add("GET", LOG + "/lines", Access.USER, this::lines);
    routes.add("GET", LOG + "/matches", Access.USER, this::matches);
  }

  private Object lines(Request request) throws IOException {
    LogAddress log = LogAddress.of(request, jobs, removals, store);
    long length = store.length(log.task(), log.stream());
    long from = offset(request, length);
    LineStarts starts = new LineStarts(from);
    long end = scan(log, from, length, starts);
    Map<String, Object> view = view(from, end, length);
    view.put("lines", starts.lines());
    view.put(
        "starts",
        starts.starts().stream().map(start -> List.of(start.offset(), start.lines())).toList());
    return view;
  }

  private Object matches(Request request) throws IOException {
    LogAddress log = LogAddress.of(request, jobs, removals, store);
    List<String> texts = texts(request);
    int limit = limit(request);
    boolean exact = request.query("case").map("true"::equals).orElse(false);
    long length = store.length(log.task(), log.stream());
    long from = offset(request, length);
    LineMatches matches = new LineMatches(texts, !exact, from, limit);
    long end = scan(log, from, length, matches);
    matches.finish();
    // Behind the last one, so that nothing between it and the end of the piece is left out.
    long searched = matches.full() ? matches.found().getLast() + 1 : end;
    Map<String, Object> view = view(from, searched, length);
    view.put("matches", matches.found());
    return view;
  }

  /** Reads until the sink is closed or enough is read; returns the offset behind the last byte. */
  private long scan(LogAddress log, long from, long length, Reply.Sink sink) throws IOException {
    long until = Math.min(length, from + MOST_BYTES);
    long end = from;
    while (end < until && !sink.closed()) {
      long begin = end;
      long most = Math.min(until, begin + PIECE);
      end = HeavyWork.FILES.run(() -> store.copy(log.task(), log.stream(), begin, most, sink));
      if (end == begin) {
        break;
      }
    }
    return end;
  }

  /** {@code end} is how far it was read; more is there if that is before {@code length}. */
  private static Map<String, Object> view(long from, long end, long length) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("offset", from);
    view.put("end", end);
    view.put("length", Math.max(end, length));
    return view;
  }

  private static long offset(Request request, long length) {
    long asked = LogAddress.number(request, "offset").orElse(0L);
    return asked < 0 ? Math.max(0, length + asked) : Math.min(asked, length);
  }

  private static int limit(Request request) {
    long limit = LogAddress.number(request, "limit").orElse(DEFAULT_MATCHES);
    if (limit < 1 || limit > MOST_MATCHES) {
      throw LogAddress.bad(
          "limit",
          Message.of("error.not-in-range", "value", limit)
              .with("from", 1)
              .with("to", MOST_MATCHES));
    }
    return (int) limit;
  }

  private static List<String> texts(Request request) {
    List<String> texts = request.queries("text");
    boolean good =
        !texts.isEmpty()
            && texts.size() <= MOST_TEXTS
            && texts.stream()
                .allMatch(
                    text ->
                        !text.isEmpty() && text.length() <= LONGEST_TEXT && !text.contains("\n"));
    if (!good) {
      throw LogAddress.bad(
          "text",
          Message.of("error.search-text", "most", MOST_TEXTS).with("longest", LONGEST_TEXT));
    }
    return texts;
  }
}
