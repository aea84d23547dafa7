package dev.trainyard.server.event;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;

/** {@code /api/v3/events} and the events of a job. */
public final class EventRoutes {
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_PAGE_SIZE = 500;
  private static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /**
   * Maximum number of concurrent streams of a user. A browser needs only one stream for all its
   * tabs.
   */
  private static final int MAX_STREAMS_PER_USER = 50;

  private final Db db;
  private final EventStore store;
  private final EventFeed feed;
  private final BiFunction<Caller, String, JobId> jobFinder;
  private final BiPredicate<Caller, JobId> stillVisible;
  private final Duration heartbeat;
  private final ConcurrentMap<String, Integer> streamsByUser = new ConcurrentHashMap<>();

  /**
   * @param jobFinder finds a job that the caller may see, or throws NOT_FOUND
   * @param stillVisible returns whether the caller may still see the job; checked regularly during
   *     a stream
   */
  public EventRoutes(
      Db db,
      EventStore store,
      EventFeed feed,
      BiFunction<Caller, String, JobId> jobFinder,
      BiPredicate<Caller, JobId> stillVisible) {
    this(db, store, feed, jobFinder, stillVisible, HEARTBEAT);
  }

  EventRoutes(
      Db db,
      EventStore store,
      EventFeed feed,
      BiFunction<Caller, String, JobId> jobFinder,
      BiPredicate<Caller, JobId> stillVisible,
      Duration heartbeat) {
    this.db = db;
    this.store = store;
    this.feed = feed;
    this.jobFinder = jobFinder;
    this.stillVisible = stillVisible;
    this.heartbeat = heartbeat;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/events", Access.USER, this::listOrStream);
    routes.add("GET", "/api/v3/jobs/:job/events", Access.USER, this::listOfJob);
  }

  /** Returns a stream, unless the client accepts JSON but not an event stream. */
  private Object listOrStream(Request request) {
    Optional<JobId> job = request.query("job").map(name -> jobFinder.apply(request.caller(), name));
    EventScope scope = EventScope.of(request.caller(), job);
    String accepted = request.header("Accept").orElse("").toLowerCase(Locale.ROOT);
    boolean wantsPage = accepted.contains("application/json") && !accepted.contains("event-stream");
    return wantsPage ? page(request, scope) : stream(request, scope, job);
  }

  private Object listOfJob(Request request) {
    JobId job = jobFinder.apply(request.caller(), request.path("job"));
    return page(request, EventScope.of(request.caller(), Optional.of(job)));
  }

  private Map<String, Object> page(Request request, EventScope scope) {
    int limit =
        parseNumber(request.query("limit"), "limit", 1, MAX_PAGE_SIZE)
            .map(Long::intValue)
            .orElse(DEFAULT_LIMIT);
    long beforeId =
        parseNumber(request.query("after"), "after", 1, Long.MAX_VALUE).orElse(Long.MAX_VALUE);
    List<Event> events = db.read(handle -> store.listBefore(handle, scope, beforeId, limit + 1));
    boolean hasMore = events.size() > limit;
    return EventView.page(hasMore ? events.subList(0, limit) : events, hasMore);
  }

  private Reply stream(Request request, EventScope scope, Optional<JobId> job) {
    // The header, which a client sends when it reconnects, takes precedence over the parameter in
    // the URL.
    Optional<Long> lastEventId =
        parseNumber(request.header("Last-Event-ID"), "Last-Event-ID", 0, Long.MAX_VALUE)
            .or(() -> parseNumber(request.query("after"), "after", 0, Long.MAX_VALUE));
    boolean isAheadOfServer = lastEventId.map(id -> !feed.existed(id)).orElse(false);
    long position = isAheadOfServer ? feed.newest() : lastEventId.orElseGet(feed::newest);
    String user = request.caller().userId();
    if (streamsByUser.getOrDefault(user, 0) >= MAX_STREAMS_PER_USER) {
      throw new AppException(
          ErrorCode.TOO_MANY_REQUESTS,
          Message.of("error.too-many-streams", "most", MAX_STREAMS_PER_USER));
    }
    BooleanSupplier stillAllowed =
        () ->
            request.isStillSignedIn()
                && job.map(id -> stillVisible.test(request.caller(), id)).orElse(true);
    EventStream stream =
        new EventStream(feed, scope, position, isAheadOfServer, heartbeat, stillAllowed);
    Reply.Stream countedStream =
        sink -> {
          try {
            // Checked again, because several streams may start at the same time.
            if (streamsByUser.merge(user, 1, Integer::sum) > MAX_STREAMS_PER_USER) {
              throw new IOException("too many event streams of one user");
            }
            stream.writeTo(sink);
          } finally {
            streamsByUser.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
          }
        };
    return Reply.of(200, countedStream)
        .with("Content-Type", "text/event-stream; charset=utf-8")
        .with("X-Accel-Buffering", "no");
  }

  private static Optional<Long> parseNumber(
      Optional<String> text, String name, long minimum, long maximum) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      long number = Long.parseLong(text.get().strip());
      if (number >= minimum && number <= maximum) {
        return Optional.of(number);
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("error.bad-query"),
        List.of(
            Problem.at(
                name,
                Message.of("error.not-in-range", "value", text.get())
                    .with("from", minimum)
                    .with("to", maximum))));
  }
}
