package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Api;
import dev.trainyard.cli.api.ConnectionErrors;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Copies one log of one task until it ends. After a lost connection it continues at the byte where
 * it stopped, so that no byte is lost or repeated.
 */
final class LogCopy {
  /** A stream that sends nothing for this time is reopened, in case the server is unreachable. */
  static final int SILENCE_MILLIS = 60_000;

  static final Set<ErrorCode> PASSING =
      EnumSet.of(
          ErrorCode.INTERNAL, ErrorCode.UNAVAILABLE, ErrorCode.DISK_FULL, ErrorCode.UNREACHABLE);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final Api api;
  private final String path;
  private final Sink sink;
  private final Patience patience;

  /** Receives the bytes. */
  interface Sink {
    void write(byte[] bytes, int length);
  }

  /**
   * Retry policy.
   *
   * @param giveUpAfter maximum time without a byte or a connection
   */
  record Patience(Pause pause, Duration giveUpAfter) {
    static final Patience USUAL = new Patience(Thread::sleep, Duration.ofMinutes(5));

    /** Sleeps. */
    interface Pause {
      void sleep(Duration time) throws InterruptedException;
    }

    /** Sends a request to a server that has responded before; retries while it is unreachable. */
    <T> T ask(Supplier<T> question) throws InterruptedException {
      Duration waited = Duration.ZERO;
      Duration next = FIRST_PAUSE;
      while (true) {
        try {
          return question.get();
        } catch (AppException e) {
          if (!PASSING.contains(e.code()) || waited.compareTo(giveUpAfter) >= 0) {
            throw e;
          }
        }
        pause.sleep(next);
        waited = waited.plus(next);
        next = longer(next);
      }
    }

    private static Duration longer(Duration pause) {
      Duration twice = pause.multipliedBy(2);
      return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
  }

  /**
   * @param path with its query, to which the offset is appended
   */
  LogCopy(Api api, String path, Sink sink, Patience patience) {
    this.api = api;
    this.path = path + (path.contains("?") ? "&" : "?");
    this.sink = sink;
    this.patience = patience;
  }

  /**
   * Copies from an offset to the end of the log; returns the final offset. Callers have sent a
   * request to the server before, so this method waits if the server is unreachable now.
   */
  long copy(long from) throws InterruptedException {
    long position = from;
    Duration waited = Duration.ZERO;
    Duration next = FIRST_PAUSE;
    boolean everOpened = false;
    while (true) {
      long before = position;
      Attempt attempt = attempt(position);
      position = attempt.position();
      if (attempt.ended()) {
        return position;
      }
      if (position > before || attempt.opened()) {
        waited = Duration.ZERO;
        next = FIRST_PAUSE;
      }
      everOpened |= attempt.opened();
      // An error on the first connection is more likely permanent than a restart of the server.
      boolean hopeless = !everOpened && attempt.trouble().code() == ErrorCode.INTERNAL;
      if (hopeless || waited.compareTo(patience.giveUpAfter()) >= 0) {
        throw attempt.trouble();
      }
      patience.pause().sleep(next);
      waited = waited.plus(next);
      next = Patience.longer(next);
    }
  }

  private record Attempt(long position, boolean ended, boolean opened, AppException trouble) {}

  private Attempt attempt(long from) {
    long position = from;
    boolean opened = false;
    try (Api.Stream stream = api.open(path + "offset=" + from, SILENCE_MILLIS)) {
      opened = true;
      // If the stream starts at another offset than requested, the header of the server is
      // authoritative.
      long known = Math.max(0, from - stream.offset());
      position = Math.max(from, stream.offset());
      byte[] buffer = new byte[16_384];
      for (int count = stream.bytes().read(buffer);
          count >= 0;
          count = stream.bytes().read(buffer)) {
        int skipped = (int) Math.min(known, count);
        known -= skipped;
        if (count > skipped) {
          byte[] fresh = Arrays.copyOfRange(buffer, skipped, count);
          sink.write(fresh, fresh.length);
          position += fresh.length;
        }
      }
      return new Attempt(position, true, true, null);
    } catch (IOException e) {
      return new Attempt(position, false, opened, ConnectionErrors.of(api.base(), e));
    } catch (AppException e) {
      if (PASSING.contains(e.code())) {
        return new Attempt(position, false, opened, e);
      }
      throw e;
    }
  }
}
