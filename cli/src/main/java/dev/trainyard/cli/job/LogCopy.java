package dev.trainyard.cli.job;

import dev.trainyard.cli.api.ApiClient;
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
  static final int READ_TIMEOUT_MILLIS = 60_000;

  static final Set<ErrorCode> TRANSIENT_ERRORS =
      EnumSet.of(
          ErrorCode.INTERNAL, ErrorCode.UNAVAILABLE, ErrorCode.DISK_FULL, ErrorCode.UNREACHABLE);
  private static final Duration INITIAL_PAUSE = Duration.ofMillis(200);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(5);

  private final ApiClient api;
  private final String path;
  private final Sink sink;
  private final RetryPolicy retryPolicy;

  /** Receives the bytes. */
  interface Sink {
    void write(byte[] bytes, int length);
  }

  /**
   * Retry policy.
   *
   * @param maxWait maximum time without a byte or a connection
   */
  record RetryPolicy(Sleeper sleeper, Duration maxWait) {
    static final RetryPolicy DEFAULT = new RetryPolicy(Thread::sleep, Duration.ofMinutes(5));

    /** Sleeps for a duration; tests replace it. */
    interface Sleeper {
      void sleep(Duration time) throws InterruptedException;
    }

    /**
     * Sends a request to a server that has responded before, and repeats it while the server is
     * unreachable.
     */
    <T> T retry(Supplier<T> request) throws InterruptedException {
      Duration totalWait = Duration.ZERO;
      Duration pause = INITIAL_PAUSE;
      while (true) {
        try {
          return request.get();
        } catch (AppException e) {
          if (!TRANSIENT_ERRORS.contains(e.code()) || totalWait.compareTo(maxWait) >= 0) {
            throw e;
          }
        }
        sleeper.sleep(pause);
        totalWait = totalWait.plus(pause);
        pause = nextPause(pause);
      }
    }

    private static Duration nextPause(Duration previous) {
      Duration doubled = previous.multipliedBy(2);
      return doubled.compareTo(MAX_PAUSE) < 0 ? doubled : MAX_PAUSE;
    }
  }

  /**
   * @param path path and query of the log, without the parameter for the offset
   */
  LogCopy(ApiClient api, String path, Sink sink, RetryPolicy retryPolicy) {
    this.api = api;
    this.path = path + (path.contains("?") ? "&" : "?");
    this.sink = sink;
    this.retryPolicy = retryPolicy;
  }

  /**
   * Copies from an offset to the end of the log; returns the final offset. Waits while the server
   * is unreachable, because the caller has already received a response from it.
   */
  long copy(long offset) throws InterruptedException {
    long position = offset;
    Duration totalWait = Duration.ZERO;
    Duration pause = INITIAL_PAUSE;
    boolean everOpened = false;
    while (true) {
      long previousPosition = position;
      Attempt attempt = copyOnce(position);
      position = attempt.position();
      if (attempt.ended()) {
        return position;
      }
      if (position > previousPosition || attempt.opened()) {
        totalWait = Duration.ZERO;
        pause = INITIAL_PAUSE;
      }
      everOpened |= attempt.opened();
      // An error on the first connection is more likely permanent than a restart of the server.
      boolean isPermanent = !everOpened && attempt.error().code() == ErrorCode.INTERNAL;
      if (isPermanent || totalWait.compareTo(retryPolicy.maxWait()) >= 0) {
        throw attempt.error();
      }
      retryPolicy.sleeper().sleep(pause);
      totalWait = totalWait.plus(pause);
      pause = RetryPolicy.nextPause(pause);
    }
  }

  private record Attempt(long position, boolean ended, boolean opened, AppException error) {}

  private Attempt copyOnce(long offset) {
    long position = offset;
    boolean opened = false;
    try (ApiClient.Stream stream = api.open(path + "offset=" + offset, READ_TIMEOUT_MILLIS)) {
      opened = true;
      // The stream may start at another offset than requested; use the offset that the server sent.
      long knownBytes = Math.max(0, offset - stream.offset());
      position = Math.max(offset, stream.offset());
      byte[] buffer = new byte[16_384];
      for (int count = stream.bytes().read(buffer);
          count >= 0;
          count = stream.bytes().read(buffer)) {
        int skippedBytes = (int) Math.min(knownBytes, count);
        knownBytes -= skippedBytes;
        if (count > skippedBytes) {
          byte[] newBytes = Arrays.copyOfRange(buffer, skippedBytes, count);
          sink.write(newBytes, newBytes.length);
          position += newBytes.length;
        }
      }
      return new Attempt(position, true, true, null);
    } catch (IOException e) {
      return new Attempt(position, false, opened, ConnectionErrors.of(api.base(), e));
    } catch (AppException e) {
      if (TRANSIENT_ERRORS.contains(e.code())) {
        return new Attempt(position, false, opened, e);
      }
      throw e;
    }
  }
}
