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
 * Follows the event stream. When the connection breaks, it goes on after the event that came last:
 * nothing is lost, nothing comes twice.
 */
final class EventFollower {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Api api;
  private final Optional<String> job;
  private final LogCopy.Patience patience;
  private final Predicate<Told> listener;
  private long position;

  /** What a server says. */
  sealed interface Told {
    record Happened(Json event) implements Told {}

    /** The server does not know what we were told before. */
    record Reset() implements Told {}
  }

  /**
   * @param job the id of the only job of interest
   * @param listener answers whether it wants more
   */
  EventFollower(
      Api api, Optional<String> job, LogCopy.Patience patience, Predicate<Told> listener) {
    this.api = api;
    this.job = job;
    this.patience = patience;
    this.listener = listener;
  }

  /** Returns when the listener has enough. */
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

  /** Reads to the end of the stream, or until the listener has enough, which is answered. */
  private boolean read(BufferedReader lines) throws IOException {
    StringBuilder data = new StringBuilder();
    String name = "";
    String id = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (!id.isEmpty()) {
          position = Long.parseLong(id);
        }
        if (!data.isEmpty() && !listener.test(told(name, data.toString()))) {
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

  private static Told told(String name, String data) throws IOException {
    return name.equals("reset")
        ? new Told.Reset()
        : new Told.Happened(Json.parse(data.getBytes(StandardCharsets.UTF_8)));
  }

  private static String value(String line) {
    return line.substring(line.indexOf(':') + 1).strip();
  }
}
