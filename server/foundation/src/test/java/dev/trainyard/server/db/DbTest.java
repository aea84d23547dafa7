package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

@EveryDatabase
class DbTest {
  private final Db db;

  DbTest(Db db) {
    this.db = db;
  }

  @Test
  void write_committed() {
    assertThat(db.<Integer>write(handle -> insert(handle, "a", 1))).isEqualTo(1);
    assertThat(names()).containsExactly("a");
  }

  @Test
  void write_throws_rolledBack() {
    assertThatThrownBy(
            () ->
                db.write(
                    handle -> {
                      insert(handle, "a", 1);
                      throw new IllegalArgumentException("no");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no");
    assertThat(names()).isEmpty();
  }

  @Test
  void write_throwsError_rolledBack() {
    assertThatThrownBy(
            () ->
                db.write(
                    handle -> {
                      insert(handle, "a", 1);
                      throw new AssertionError("bug");
                    }))
        .isInstanceOf(AssertionError.class);
    db.write(handle -> insert(handle, "b", 1));
    assertThat(names()).containsExactly("b");
  }

  @Test
  void write_constraintViolated_rolledBack() {
    db.write(handle -> insert(handle, "a", 1));
    assertThatThrownBy(() -> db.write(handle -> insert(handle, "b", 1) + insert(handle, "a", 2)));
    assertThat(names()).containsExactly("a");
  }

  @Test
  void write_concurrentEveryThirdThrows() throws Exception {
    List<Future<?>> works = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 300; i++) {
        int n = i;
        works.add(
            threads.submit(
                () ->
                    db.write(
                        handle -> {
                          insert(handle, "n" + n, n);
                          if (n % 3 == 0) {
                            throw new IllegalStateException("work " + n);
                          }
                          return n;
                        })));
      }
    }
    for (int i = 0; i < 300; i++) {
      Future<?> work = works.get(i);
      if (i % 3 == 0) {
        assertThatThrownBy(work::get)
            .isInstanceOf(ExecutionException.class)
            .hasRootCauseMessage("work " + i);
      } else {
        assertThat(work.get()).isEqualTo(i);
      }
    }
    assertThat(names()).hasSize(200).doesNotContain("n0", "n3", "n297");
  }

  @Test
  void write_checkThenAct_isSafe() throws Exception {
    db.write(handle -> insert(handle, "counter", 0));
    List<Future<?>> works = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 60; i++) {
        works.add(
            threads.submit(
                () ->
                    db.write(
                        handle -> {
                          long seen = value(handle, "counter");
                          return handle.execute(
                              "update counter set next_value = ? where name = 'counter'", seen + 1);
                        })));
      }
    }
    for (Future<?> work : works) {
      work.get();
    }
    assertThat(db.<Long>read(handle -> value(handle, "counter"))).isEqualTo(60);
  }

  @Test
  void read_neverSeesPartOfATransaction() throws Exception {
    db.write(handle -> insert(handle, "a", 0) + insert(handle, "b", 0));
    AtomicBoolean over = new AtomicBoolean();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(
              () -> {
                for (int i = 1; i <= 200; i++) {
                  long n = i;
                  db.write(handle -> set(handle, "a", n) + set(handle, "b", n));
                }
                over.set(true);
              });
      while (!over.get() && !writer.isDone()) {
        List<Long> seen = db.read(handle -> List.of(value(handle, "a"), value(handle, "b")));
        assertThat(seen.get(0)).isEqualTo(seen.get(1));
      }
      writer.get();
    }
  }

  @Test
  void read_keepsItsSnapshot() throws Exception {
    db.write(handle -> insert(handle, "a", 1));
    CountDownLatch transactionStarted = new CountDownLatch(1);
    CountDownLatch written = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<List<Long>> reader =
          threads.submit(
              () ->
                  db.read(
                      handle -> {
                        long before = value(handle, "a");
                        transactionStarted.countDown();
                        awaitQuietly(written);
                        return List.of(before, value(handle, "a"));
                      }));
      transactionStarted.await();
      db.write(handle -> set(handle, "a", 2));
      written.countDown();
      assertThat(reader.get()).containsExactly(1L, 1L);
    }
    assertThat(db.<Long>read(handle -> value(handle, "a"))).isEqualTo(2);
  }

  @Test
  void read_cannotWrite() {
    assertThatThrownBy(() -> db.read(handle -> insert(handle, "a", 1)));
    assertThat(names()).isEmpty();
    db.write(handle -> insert(handle, "b", 1));
    assertThat(names()).containsExactly("b");
  }

  @Test
  void read_sameQueryNested() {
    db.write(handle -> insert(handle, "a", 1) + insert(handle, "b", 2));
    String sql = "select next_value from counter where name <> 'id_range' order by name";
    List<String> pairs =
        db.read(
            handle ->
                handle
                    .createQuery(sql)
                    .map(
                        (rows, context) ->
                            rows.getLong(1)
                                + ":"
                                + handle.createQuery(sql).mapTo(Long.class).list())
                    .list());
    assertThat(pairs).containsExactly("1:[1, 2]", "2:[1, 2]");
  }

  @Test
  void write_interruptedCaller_getsTheResult() {
    Thread.currentThread().interrupt();
    try {
      db.write(handle -> insert(handle, "a", 1));
    } finally {
      // Clears the flag, which must still be set, for the tests that follow.
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(names()).containsExactly("a");
  }

  @Test
  void close_rejectsFurtherUse() {
    db.close();
    assertThatThrownBy(() -> db.write(handle -> insert(handle, "a", 1)));
    assertThatThrownBy(() -> db.read(handle -> 1));
  }

  @Test
  void write_reopened_isStored(TestDatabase database) {
    String url = database.createUrl();
    try (Db first = database.reopen(url)) {
      first.write(handle -> insert(handle, "kept", 7));
    }
    try (Db second = database.reopen(url)) {
      assertThat(second.<Long>read(handle -> value(handle, "kept"))).isEqualTo(7);
    }
  }

  private static int insert(Handle handle, String name, long value) {
    return handle.execute("insert into counter (name, next_value) values (?, ?)", name, value);
  }

  private static int set(Handle handle, String name, long value) {
    return handle.execute("update counter set next_value = ? where name = ?", value, name);
  }

  private static long value(Handle handle, String name) {
    return handle
        .createQuery("select next_value from counter where name = :name")
        .bind("name", name)
        .mapTo(Long.class)
        .one();
  }

  private List<String> names() {
    return db.read(
        handle ->
            handle
                .createQuery("select name from counter where name <> 'id_range' order by name")
                .mapTo(String.class)
                .list());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
