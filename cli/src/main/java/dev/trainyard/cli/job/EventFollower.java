package dev.trainyard.cli.job;

import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.cli.api.Json;
import dev.trainyard.model.AppException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Follows the event stream. After a lost connection it continues with the event after the last one
 * received, so that no event is lost or repeated.
 */
final class EventFollower {
  private static final Duration INITIAL_PAUSE = Duration.ofMillis(200);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  private final ApiClient api;
  private final Optional<String> job;
  private final LogCopy.RetryPolicy retryPolicy;
  private final Predicate<StreamMessage> listener;
  private long position;

  /** A message of the event stream. */
  sealed interface StreamMessage {
    record Event(Json event) implements StreamMessage {}

    /** The server no longer has the events that follow the last received event. */
    record Reset() implements StreamMessage {}
  }

  /**
   * @param job ID of the job to follow; empty to follow all jobs
   * @param listener returns whether it wants more events
   */
  EventFollower(
      ApiClient api,
      Optional<String> job,
      LogCopy.RetryPolicy retryPolicy,
      Predicate<StreamMessage> listener) {
    this.api = api;
    this.job = job;
    this.retryPolicy = retryPolicy;
    this.listener = listener;
  }

  /** Returns when the listener wants no more events. */
  void follow(long after) throws InterruptedException {
    position = after;
    Duration totalWait = Duration.ZERO;
    Duration pause = INITIAL_PAUSE;
    boolean everOpened = false;
    while (true) {
      Attempt attempt = connectOnce();
      if (attempt.finished()) {
        return;
      }
      if (attempt.opened()) {
        everOpened = true;
        totalWait = Duration.ZERO;
        pause = INITIAL_PAUSE;
      }
      if (!everOpened || totalWait.compareTo(retryPolicy.maxWait()) >= 0) {
        throw attempt.error();
      }
      retryPolicy.sleeper().sleep(pause);
      totalWait = totalWait.plus(pause);
      Duration doubled = pause.multipliedBy(2);
      pause = doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    }
  }

  private record Attempt(boolean opened, boolean finished, AppException error) {}

  private Attempt connectOnce() {
    String path =
        "/api/v3/events?after="
            + position
            + job.map(id -> "&job=" + ApiClient.encode(id)).orElse("");
    boolean opened = false;
    try (ApiClient.Stream stream = api.openEvents(path, LogCopy.READ_TIMEOUT_MILLIS)) {
      opened = true;
      var lines = new BufferedReader(new InputStreamReader(stream.bytes(), StandardCharsets.UTF_8));
      return new Attempt(
          true,
          read(lines),
          ConnectionErrors.of(api.base(), new IOException("the event stream ended")));
    } catch (IOException e) {
      return new Attempt(opened, false, ConnectionErrors.of(api.base(), e));
    } catch (AppException e) {
      if (LogCopy.TRANSIENT_ERRORS.contains(e.code())) {
        return new Attempt(opened, false, e);
      }
      throw e;
    }
  }

  /**
   * Reads until the stream ends or the listener wants no more events; returns true in the second
   * case.
   */
  private boolean read(BufferedReader lines) throws IOException {
    StringBuilder data = new StringBuilder();
    String name = "";
    String id = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (!id.isEmpty()) {
          position = Long.parseLong(id);
        }
        if (!data.isEmpty() && !listener.test(parse(name, data.toString()))) {
          return true;
        }
        data.setLength(0);
        name = "";
        id = "";
      } else if (line.startsWith("data:")) {
        data.append(value(line));
      } else if (line.startsWith("event:")) {
        name = value(line);
      } else if (line.startsWith("id:")) {
        id = value(line);
      }
    }
    return false;
  }

  private static StreamMessage parse(String name, String data) throws IOException {
    return name.equals("reset")
        ? new StreamMessage.Reset()
        : new StreamMessage.Event(Json.parse(data.getBytes(StandardCharsets.UTF_8)));
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }
}
