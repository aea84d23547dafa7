package dev.trainyard.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.queue.JobFixture;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ForeignAccessRaceTest {
  private static final Set<Thread.State> STOPPED =
      Set.of(Thread.State.WAITING, Thread.State.BLOCKED, Thread.State.TERMINATED);
  private static final Caller RITA = new Caller("u2", "rita", true, "t2");

  /** A database whose first write blocks until it is released, and then fails. */
  private static final class FailingOnce implements Db {
    private final CountDownLatch writeStarted = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final AtomicInteger writes = new AtomicInteger();

    @Override
    public <T> T write(Transaction<T> work) {
      if (writes.incrementAndGet() == 1) {
        writeStarted.countDown();
        await(released);
        throw new IllegalStateException("the database is unavailable");
      }
      return null;
    }

    @Override
    public <T> T read(Transaction<T> work) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {}
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void read_recordOfConcurrentReadFails_isRecorded() throws Exception {
    FailingOnce db = new FailingOnce();
    ForeignAccess access = new ForeignAccess(db, InstantSource.system());
    AtomicInteger failures = new AtomicInteger();
    Runnable read =
        () -> {
          try {
            access.recordRead(RITA, "u1", "job.read-log", "job:alice~hello");
          } catch (IllegalStateException e) {
            failures.incrementAndGet();
          }
        };
    Thread first = Thread.ofPlatform().start(read);
    await(db.writeStarted);
    Thread second = Thread.ofPlatform().start(read);
    JobFixture.eventually(() -> STOPPED.contains(second.getState()), "the second read");
    db.released.countDown();
    first.join();
    second.join();

    assertThat(failures).hasValue(1);
    assertThat(db.writes).as("the second read was recorded").hasValue(2);
  }
}
