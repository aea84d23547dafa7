package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Api;
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
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Api api;
  private final Optional<String> job;
  private final LogCopy.Patience patience;
  private final Predicate<StreamMessage> listener;
  private long position;

  /** A message of the event stream. */
  sealed interface StreamMessage {
    record Happened(Json event) implements StreamMessage {}

    /** The server does not know the events that were received before. */
    record Reset() implements StreamMessage {}
  }

  /**
   * @param job ID of the job to follow; others are ignored
   * @param listener returns whether it wants more events
   */
  EventFollower(
      Api api, Optional<String> job, LogCopy.Patience patience, Predicate<StreamMessage> listener) {
    this.api = api;
    this.job = job;
    this.patience = patience;
    this.listener = listener;
  }

  /** Returns when the listener wants no more events. */
  void follow(long after) throws InterruptedException {
    position = after;
    Duration waited = Duration.ZERO;
    Duration next = FIRST_PAUSE;
    boolean everOpened = false;
    while (true) {
      Attempt attempt = attempt();
      if (attempt.enough()) {
        return;
      }
      if (attempt.opened()) {
        everOpened = true;
        waited = Duration.ZERO;
        next = FIRST_PAUSE;
      }
      if (!everOpened || waited.compareTo(patience.giveUpAfter()) >= 0) {
        throw attempt.trouble();
      }
      patience.pause().sleep(next);
      waited = waited.plus(next);
      Duration twice = next.multipliedBy(2);
      next = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
  }

  private record Attempt(boolean opened, boolean enough, AppException trouble) {}

  private Attempt attempt() {
    String path =
        "/api/v3/events?after=" + position + job.map(id -> "&job=" + Api.part(id)).orElse("");
    boolean opened = false;
    try (Api.Stream stream = api.openEvents(path, LogCopy.SILENCE_MILLIS)) {
      opened = true;
      var lines = new BufferedReader(new InputStreamReader(stream.bytes(), StandardCharsets.UTF_8));
      return new Attempt(
          true, read(lines), ConnectionErrors.of(api.base(), new IOException("ended")));
    } catch (IOException e) {
      return new Attempt(opened, false, ConnectionErrors.of(api.base(), e));
    } catch (AppException e) {
      if (LogCopy.PASSING.contains(e.code())) {
        return new Attempt(opened, false, e);
      }
      throw e;
    }
  }

  /**
   * Reads until the end of the stream or until the listener wants no more events; returns whether
   * the latter is the case.
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
        : new StreamMessage.Happened(Json.parse(data.getBytes(StandardCharsets.UTF_8)));
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }
}
