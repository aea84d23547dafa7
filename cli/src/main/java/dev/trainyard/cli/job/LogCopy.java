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
 * Copies one log of one task until it ends. When the connection breaks, it goes on at the byte
 * where it broke: nothing is lost, nothing comes twice.
 */
final class LogCopy {
  /** A stream that is silent for so long is opened again, in case nobody is there any more. */
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

  /** Takes the bytes. */
  interface Sink {
    void write(byte[] bytes, int length);
  }

  /**
   * How long to try again.
   *
   * @param giveUpAfter without a byte or a connection
   */
  record Patience(Pause pause, Duration giveUpAfter) {
    static final Patience USUAL = new Patience(Thread::sleep, Duration.ofMinutes(5));

    /** Lets time pass. */
    interface Pause {
      void sleep(Duration time) throws InterruptedException;
    }

    /** Asks a server that was there before, again and again while it is away. */
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
   * @param path with its query, to which the offset is added
   */
  LogCopy(Api api, String path, Sink sink, Patience patience) {
    this.api = api;
    this.path = path + (path.contains("?") ? "&" : "?");
    this.sink = sink;
    this.patience = patience;
  }

  /**
   * Copies from an offset to the end; returns where the end is. Whoever copies a log has asked the
   * server something before, so one that is away now is waited for.
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
      // What fails from the first is more likely a fault than a restart.
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
      // Where the server starts elsewhere, believe its header rather than our wish.
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
