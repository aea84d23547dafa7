package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.server.work.Requester;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Transactions that use or wait for all connections of a PostgreSQL database. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class PostgresTurnsTest {
  private final Db db = TestDatabase.POSTGRESQL.create();
  private final CountDownLatch latch = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  @AfterEach
  void close() throws InterruptedException {
    latch.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    db.close();
  }

  private Thread start(Runnable action) {
    Thread thread = Thread.ofPlatform().start(action);
    threads.add(thread);
    return thread;
  }

  private void awaitLatch() {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitParked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
  }

  private static int fail(Handle handle, String sqlState) {
    return handle.execute("do $$ begin raise sqlstate '" + sqlState + "'; end $$");
  }

  @Test
  void read_allConnectionsOfOneUser_anotherUserIsNext() throws Exception {
    CountDownLatch reading = new CountDownLatch(PostgresConnections.READERS);
    CountDownLatch first = new CountDownLatch(1);
    for (int i = 0; i < PostgresConnections.READERS; i++) {
      CountDownLatch end = i == 0 ? first : latch;
      start(
          () ->
              read(
                  "alice",
                  () -> {
                    reading.countDown();
                    end.await();
                  }));
    }
    reading.await();
    List<String> order = new CopyOnWriteArrayList<>();
    List<Thread> queued = new ArrayList<>();
    for (String user : List.of("alice", "alice", "alice", "bob")) {
      queued.add(start(() -> read(user, () -> order.add(user))));
      awaitParked(queued.getLast());
    }
    first.countDown(); // all queued reads now use this connection, one after the other
    for (Thread thread : queued) {
      thread.join();
    }
    assertThat(order).containsExactly("alice", "bob", "alice", "alice");
  }

  private interface Action {
    void run() throws InterruptedException;
  }

  private void read(String user, Action action) {
    Requester requester = new Requester(() -> user, user);
    requester.run(
        () ->
            db.read(
                _ -> {
                  try {
                    action.run();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  return null;
                }));
  }

  @Test
  void write_retriesWaitForEachOther_othersAreWritten() throws Exception {
    CountDownLatch retrying = new CountDownLatch(1);
    AtomicInteger firstAttempts = new AtomicInteger();
    Thread retry =
        start(
            () ->
                db.write(
                    handle -> {
                      if (firstAttempts.getAndIncrement() == 0) {
                        return fail(handle, "40001");
                      }
                      retrying.countDown();
                      awaitLatch();
                      return 0;
                    }));
    retrying.await();
    for (int i = 1; i < PostgresConnections.WRITERS; i++) {
      CountDownLatch failed = new CountDownLatch(1);
      Thread next =
          start(
              () ->
                  db.write(
                      handle -> {
                        if (failed.getCount() > 0) {
                          failed.countDown();
                          return fail(handle, "40001");
                        }
                        return 0;
                      }));
      failed.await();
      awaitParked(next);
    }
    CompletableFuture<Integer> other =
        CompletableFuture.supplyAsync(() -> db.write(handle -> 42), this::start);
    assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo(42);
    assertThat(retry.isAlive()).isTrue();
  }
}
