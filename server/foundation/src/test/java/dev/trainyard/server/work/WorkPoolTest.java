package dev.trainyard.server.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkPoolTest {
  private final List<String> order = Collections.synchronizedList(new ArrayList<>());

  private static Requester user(String name) {
    return new Requester(() -> name);
  }

  private static <T> Future<T> inBackground(
      Requester requester, WorkPool pool, WorkPool.Work<T, Exception> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(requester.<T, Exception>call(() -> pool.run(work)));
              } catch (Exception | Error e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  /** Occupies a thread until the latch is open. */
  private static Future<String> block(Requester requester, WorkPool pool, CountDownLatch latch)
      throws InterruptedException {
    CountDownLatch workStarted = new CountDownLatch(1);
    Future<String> blocked =
        inBackground(
            requester,
            pool,
            () -> {
              workStarted.countDown();
              latch.await();
              return "done";
            });
    workStarted.await();
    return blocked;
  }

  private static void awaitQueued(WorkPool pool, int count) {
    while (pool.queued() != count) {
      Thread.onSpinWait();
    }
  }

  @Test
  void start_inAnotherPool_runsBesideTheCaller() {
    WorkPool searches = new WorkPool("searches", 1, 1, 10);
    WorkPool counts = new WorkPool("counts", 1, 1, 10);
    CountDownLatch counting = new CountDownLatch(1);
    String thread =
        searches.run(
            () -> {
              WorkPool.StartedWork<String> count =
                  counts.start(
                      () -> {
                        counting.countDown();
                        return Thread.currentThread().getName();
                      });
              awaitOpen(counting); // without waiting for the result
              return count.await();
            });
    assertThat(thread).isEqualTo("counts 1");
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void start_canceledWhileQueued_isNotPerformed() throws Exception {
    WorkPool pool = new WorkPool("test", 1, 1, 1);
    CountDownLatch latch = new CountDownLatch(1);
    Future<String> blocked = block(user("alice"), pool, latch);
    List<WorkPool.StartedWork<Boolean>> started = new ArrayList<>();
    for (int i = 0; i < 3; i++) { // more than may be queued, because they are not rejected
      started.add(user("alice").call(() -> pool.start(() -> order.add("counted"))));
    }
    started.getFirst().cancel();
    latch.countDown();
    assertThat(started.getLast().await()).isTrue();
    assertThat(order).hasSize(2);
    assertThat(blocked.get()).isEqualTo("done");
  }

  @Test
  void run_resultAndFailure() throws Exception {
    WorkPool pool = new WorkPool("test", 2, 2, 10);
    assertThat(pool.run(() -> Thread.currentThread().isVirtual())).isFalse();
    assertThatThrownBy(
            () ->
                pool.run(
                    () -> {
                      throw new IOException("no such file");
                    }))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("no such file");
    assertThat(pool.<String, Exception>run(() -> pool.run(() -> "nested"))).isEqualTo("nested");
  }

  @Test
  void run_manyOfOneUser_othersAreNext() throws Exception {
    WorkPool pool = new WorkPool("test", 1, 1, 100);
    CountDownLatch latch = new CountDownLatch(1);
    Future<String> first = block(user("alice"), pool, latch);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      all.add(inBackground(user("alice"), pool, () -> order.add("alice")));
      awaitQueued(pool, i);
    }
    all.add(inBackground(user("bob"), pool, () -> order.add("bob")));
    awaitQueued(pool, 21);
    latch.countDown();
    assertThat(first.get()).isEqualTo("done");
    for (Future<?> one : all) {
      one.get();
    }
    assertThat(order.indexOf("bob")).isLessThanOrEqualTo(1);
  }

  @Test
  void run_oneUserUsesItsShare_otherUserGetsThread() throws Exception {
    WorkPool pool = new WorkPool("test", 2, 1, 100);
    CountDownLatch latch = new CountDownLatch(1);
    Future<String> first = block(user("alice"), pool, latch);
    Future<String> second = inBackground(user("alice"), pool, () -> "second");
    awaitQueued(pool, 1);
    assertThat(inBackground(user("bob"), pool, () -> "bob").get(30, TimeUnit.SECONDS))
        .isEqualTo("bob");
    assertThat(second.isDone()).isFalse();
    latch.countDown();
    assertThat(first.get()).isEqualTo("done");
    assertThat(second.get()).isEqualTo("second");
  }

  @Test
  void run_queueOfUserIsFull_rejected() throws Exception {
    WorkPool pool = new WorkPool("test", 1, 1, 1);
    CountDownLatch latch = new CountDownLatch(1);
    Future<String> first = block(user("alice"), pool, latch);
    Future<String> second = inBackground(user("alice"), pool, () -> "second");
    awaitQueued(pool, 1);
    assertThatThrownBy(() -> user("alice").call(() -> pool.run(() -> "third")))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
    Future<String> bob = inBackground(user("bob"), pool, () -> "bob");
    latch.countDown();
    assertThat(first.get()).isEqualTo("done");
    assertThat(second.get()).isEqualTo("second");
    assertThat(bob.get()).isEqualTo("bob");
  }

  @Test
  void run_threadCannotBeStarted_rejectedAndWorksLater() throws Exception {
    AtomicInteger failures = new AtomicInteger(3);
    WorkPool pool =
        new WorkPool(
            work -> {
              if (failures.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return Thread.ofPlatform().daemon().unstarted(work);
            },
            2,
            2,
            10);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> pool.run(() -> "rejected"))
          .isInstanceOfSatisfying(
              AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE));
    }
    assertThat(pool.queued()).isZero();
    assertThat(pool.run(() -> "performed")).isEqualTo("performed");
  }

  @Test
  void end_queuedWork_isDropped() throws Exception {
    WorkPool pool = new WorkPool("test", 1, 1, 10);
    CountDownLatch latch = new CountDownLatch(1);
    Future<String> first = block(user("alice"), pool, latch);
    Requester bob = user("bob");
    Future<Boolean> dropped = inBackground(bob, pool, () -> order.add("bob"));
    awaitQueued(pool, 1);
    bob.end();
    assertThatThrownBy(dropped::get).hasCauseInstanceOf(WorkCanceledException.class);
    latch.countDown();
    assertThat(first.get()).isEqualTo("done");
    assertThatThrownBy(() -> bob.call(() -> pool.run(() -> order.add("late"))))
        .isInstanceOf(WorkCanceledException.class);
    assertThat(order).isEmpty();
  }

  @Test
  void end_runningWork_isNotified() throws Exception {
    WorkPool pool = new WorkPool("test", 1, 1, 10);
    Requester alice = user("alice");
    CountDownLatch workStarted = new CountDownLatch(1);
    Future<String> running =
        inBackground(
            alice,
            pool,
            () -> {
              workStarted.countDown();
              while (true) {
                Requester.requireCurrent();
                Thread.onSpinWait();
              }
            });
    workStarted.await();
    alice.end();
    assertThatThrownBy(running::get).hasCauseInstanceOf(WorkCanceledException.class);
  }

  @Test
  void run_manyFromManyThreads_allAreDone() throws Exception {
    WorkPool pool = new WorkPool("test", 3, 2, 1000);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> results = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        int number = i;
        Requester requester = user("user" + i % 7);
        results.add(threads.submit(() -> requester.call(() -> pool.run(() -> number))));
      }
      for (int i = 0; i < results.size(); i++) {
        assertThat(results.get(i).get()).isEqualTo(i);
      }
    }
    assertThat(pool.queued()).isZero();
  }
}
