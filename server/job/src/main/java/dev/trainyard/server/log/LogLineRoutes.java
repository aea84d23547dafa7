package dev.trainyard.server.log;

import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
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
   * Maximum number of bytes that one request reads. The response contains the offset at which the
   * next request continues.
   */
  private static final long MAX_BYTES = 256L * 1024 * 1024;

  /** Number of bytes that are read without giving other requests a turn. */
  private static final long CHUNK_SIZE = 8L * 1024 * 1024;

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
    List<String> texts = readTexts(request);
    int limit = limit(request);
    boolean caseSensitive = request.query("case").map("true"::equals).orElse(false);
    long length = store.length(log.task(), log.stream());
    long from = offset(request, length);
    Scan<LineMatches> scan =
        scan(log, from, length, () -> new LineMatches(texts, !caseSensitive, from, limit));
    LineMatches matches = scan.sink();
    matches.finish();
    // The next search continues directly after the last match, so that nothing between the match
    // and the end of the chunk is skipped.
    long searchEnd = matches.isFull() ? matches.matchOffsets().getLast() + 1 : scan.end();
    Map<String, Object> view = view(from, searchEnd, length);
    view.put("matches", matches.matchOffsets());
    return view;
  }

  /**
   * A scanned part of a log.
   *
   * @param end offset after the last byte that was read
   */
  private record Scan<S extends LogScan>(S sink, long end) {}

  /**
   * Reads a log until the sink is closed or the limit is reached. The sink is created on a thread
   * of the pool, because it may need much memory, which queued requests must not hold.
   */
  private <S extends LogScan> Scan<S> scan(
      LogAddress log, long from, long length, Supplier<S> sinkFactory) throws IOException {
    long scanEnd = Math.min(length, from + MAX_BYTES);
    Scan<S> scan =
        WorkPools.FILES.<Scan<S>, IOException>run(
            () -> scanChunk(log, sinkFactory.get(), from, scanEnd));
    long chunkStart = from;
    while (scan.end() > chunkStart && scan.end() < scanEnd && !scan.sink().closed()) {
      Scan<S> previousScan = scan;
      chunkStart = previousScan.end();
      scan =
          WorkPools.FILES.<Scan<S>, IOException>resume(
              () -> scanChunk(log, previousScan.sink(), previousScan.end(), scanEnd));
    }
    return scan;
  }

  private <S extends LogScan> Scan<S> scanChunk(
      LogAddress log, S sink, long chunkStart, long scanEnd) throws IOException {
    long chunkEnd = Math.min(scanEnd, chunkStart + CHUNK_SIZE);
    try {
      long end =
          chunkStart < chunkEnd
              ? store.copy(log.task(), log.stream(), chunkStart, chunkEnd, sink)
              : chunkStart;
      return new Scan<>(sink, end);
    } finally {
      sink.endChunk();
    }
  }

  /**
   * Builds the response. {@code end} is the offset up to which the log was read; if it is less than
   * {@code length}, the rest of the log has not been read.
   */
  private static Map<String, Object> view(long from, long end, long length) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("offset", from);
    view.put("end", end);
    view.put("length", Math.max(end, length));
    return view;
  }

  private static long offset(Request request, long length) {
    long requestedOffset = LogAddress.number(request, "offset").orElse(0L);
    return requestedOffset < 0
        ? Math.max(0, length + requestedOffset)
        : Math.min(requestedOffset, length);
  }

  private static int limit(Request request) {
    long limit = LogAddress.number(request, "limit").orElse(DEFAULT_MATCHES);
    if (limit < 1 || limit > MAX_MATCHES) {
      throw LogAddress.badRequest(
          "limit",
          Message.of("error.not-in-range", "value", limit).with("from", 1).with("to", MAX_MATCHES));
    }
    return (int) limit;
  }

  private static List<String> readTexts(Request request) {
    List<String> texts = request.queries("text");
    if (!areSearchable(texts)) {
      throw LogAddress.badRequest(
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
        && texts.stream().mapToInt(LogLineRoutes::utf8Length).sum() <= MAX_TEXT_BYTES;
  }

  private static int utf8Length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
