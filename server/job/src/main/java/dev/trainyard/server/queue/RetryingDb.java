package dev.trainyard.server.queue;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Outages;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs database operations that must not fail because of an outage of the database, such as a
 * full disk or a restart. During an outage, an operation is retried until it succeeds or the server
 * shuts down. After any other failure, the operation is retried at most {@value #MAX_RETRIES}
 * times; {@link PortStore.TakenException} is thrown at once. A transaction must itself detect
 * whether an earlier attempt was committed. Thread-safe.
 */
final class RetryingDb {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingDb.class);
  private static final Duration INITIAL_PAUSE = Duration.ofMillis(100);
  private static final Duration MAX_PAUSE = Duration.ofSeconds(10);

  /** Maximum retries of a failure that is not an outage. */
  private static final int MAX_RETRIES = 3;

  private final Db db;
  private final BooleanSupplier closed;

  RetryingDb(Db db, BooleanSupplier closed) {
    this.db = db;
    this.closed = closed;
  }

  <T> T write(Db.Transaction<T> transaction) {
    return withRetries(() -> db.write(transaction));
  }

  <T> T read(Db.Transaction<T> transaction) {
    return withRetries(() -> db.read(transaction));
  }

  /** Runs any operation that uses the database, with retries. */
  <T> T withRetries(Supplier<T> access) {
    Duration pause = INITIAL_PAUSE;
    int retries = 0;
    while (true) {
      try {
        return access.get();
      } catch (PortStore.TakenException e) {
        throw e;
      } catch (RuntimeException e) {
        stopIfClosed(e);
        if (Outages.kind(e).isEmpty() && ++retries > MAX_RETRIES) {
          throw e;
        }
        LOG.warn("failed to access the database; retrying in {}", pause, e);
        pause(pause);
        pause = doubled(pause);
      }
    }
  }

  /**
   * Throws {@link QueueClosedException} during shutdown, because the shutdown itself may have
   * caused the failure.
   */
  void stopIfClosed(RuntimeException failure) {
    if (closed.getAsBoolean() || failure instanceof QueueClosedException) {
      throw new QueueClosedException(failure);
    }
  }

  private static Duration doubled(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(MAX_PAUSE) < 0 ? twice : MAX_PAUSE;
  }

  private static void pause(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new QueueClosedException(e);
    }
  }
}
