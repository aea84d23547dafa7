package dev.trainyard.server.log;

import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.work.WorkPools;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Routes for the lines of a log: their count and offsets, and the lines that match a text. */
final class LogLineRoutes {
  /**
   * Maximum number of bytes that one request reads; the response contains the offset at which to
   * continue.
   */
  private static final long MAX_BYTES = 256L * 1024 * 1024;

  /** Number of bytes that are read without giving other requests a turn. */
  private static final long PIECE = 8L * 1024 * 1024;

  private static final int MAX_TEXTS = 30;
  private static final int MAX_TEXT_LENGTH = 200;

  /** Limit for all texts together, in UTF-8: a search needs about 1 KB of memory for each byte. */
  private static final int MAX_TEXT_BYTES = 2048;

  private static final int MAX_MATCHES = 1000;
  private static final long DEFAULT_MATCHES = 100;
  private static final String LOG = "/api/v3/jobs/:job/logs/:role/:index/:stream";

  private final JobService jobs;
  private final LogStore store;
  private final LogRemovalStore removals;

  LogLineRoutes(JobService jobs, LogStore store, LogRemovalStore removals) {
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
    Scan<LineStarts> scan = scan(log, from, length, () -> new LineStarts(from));
    LineStarts starts = scan.sink();
    Map<String, Object> view = view(from, scan.end(), length);
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
    Scan<LineMatches> scan =
        scan(log, from, length, () -> new LineMatches(texts, !exact, from, limit));
    LineMatches matches = scan.sink();
    matches.finish();
    // Directly after the last match, so that nothing between it and the end of the chunk is
    // skipped.
    long searched = matches.full() ? matches.found().getLast() + 1 : scan.end();
    Map<String, Object> view = view(from, searched, length);
    view.put("matches", matches.found());
    return view;
  }

  /**
   * A scanned part of a log.
   *
   * @param end offset after the last byte that was read
   */
  private record Scan<S extends Reply.Sink>(S sink, long end) {}

  /**
   * Reads until the sink is closed or the limit is reached. The sink is created by the pool because
   * it may need much memory: queued requests must not hold any.
   */
  private <S extends Reply.Sink> Scan<S> scan(
      LogAddress log, long from, long length, Supplier<S> sinks) throws IOException {
    long until = Math.min(length, from + MAX_BYTES);
    Scan<S> scan =
        WorkPools.FILES.<Scan<S>, IOException>run(() -> piece(log, sinks.get(), from, until));
    long begin = from;
    while (scan.end() > begin && scan.end() < until && !scan.sink().closed()) {
      Scan<S> before = scan;
      begin = before.end();
      scan =
          WorkPools.FILES.<Scan<S>, IOException>resume(
              () -> piece(log, before.sink(), before.end(), until));
    }
    return scan;
  }

  private <S extends Reply.Sink> Scan<S> piece(LogAddress log, S sink, long begin, long until)
      throws IOException {
    long most = Math.min(until, begin + PIECE);
    long end = begin < most ? store.copy(log.task(), log.stream(), begin, most, sink) : begin;
    return new Scan<>(sink, end);
  }

  /**
   * Builds the response. {@code end} is the offset up to which the log was read; if it is less than
   * {@code length}, there is more to read.
   */
  private static Map<String, Object> view(long from, long end, long length) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("offset", from);
    view.put("end", end);
    view.put("length", Math.max(end, length));
    return view;
  }

  private static long offset(Request request, long length) {
    long startNanos = LogAddress.number(request, "offset").orElse(0L);
    return startNanos < 0 ? Math.max(0, length + startNanos) : Math.min(startNanos, length);
  }

  private static int limit(Request request) {
    long limit = LogAddress.number(request, "limit").orElse(DEFAULT_MATCHES);
    if (limit < 1 || limit > MAX_MATCHES) {
      throw LogAddress.bad(
          "limit",
          Message.of("error.not-in-range", "value", limit).with("from", 1).with("to", MAX_MATCHES));
    }
    return (int) limit;
  }

  private static List<String> texts(Request request) {
    List<String> texts = request.queries("text");
    if (!areSearchable(texts)) {
      throw LogAddress.bad(
          "text",
          Message.of("error.search-text", "most", MAX_TEXTS)
              .with("longest", MAX_TEXT_LENGTH)
              .with("bytes", MAX_TEXT_BYTES));
    }
    return texts;
  }

  static boolean areSearchable(List<String> texts) {
    return !texts.isEmpty()
        && texts.size() <= MAX_TEXTS
        && texts.stream()
            .allMatch(
                text -> !text.isEmpty() && text.length() <= MAX_TEXT_LENGTH && !text.contains("\n"))
        && texts.stream().mapToInt(LogLineRoutes::bytes).sum() <= MAX_TEXT_BYTES;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
