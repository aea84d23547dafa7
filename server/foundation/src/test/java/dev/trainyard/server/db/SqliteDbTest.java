package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.server.work.Requester;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteDbTest {
  @TempDir Path directory;

  @Test
  void write_arrivingDuringACommit_sharesTheNext() throws Exception {
    List<Integer> batches = new ArrayList<>();
    WriteObserver observer =
        new WriteObserver() {
          @Override
          public void committed(int works, Duration took) {
            batches.add(works);
          }
        };
    CountDownLatch go = new CountDownLatch(1);
    try (SqliteDb db = SqliteDb.open(directory.resolve("a.db"), observer);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> works = new ArrayList<>();
      CountDownLatch writeStarted = new CountDownLatch(1);
      works.add(
          threads.submit(
              () ->
                  db.write(
                      handle -> {
                        writeStarted.countDown();
                        return await(go);
                      })));
      // Otherwise some of the other writes might join its batch and never be queued.
      writeStarted.await();
      for (int i = 0; i < 50; i++) {
        String name = "n" + i;
        works.add(threads.submit(() -> db.write(handle -> insert(handle, name))));
      }
      while (db.pendingWrites() < 50) {
        Thread.onSpinWait();
      }
      go.countDown();
      for (Future<?> work : works) {
        work.get();
      }
    }
    assertThat(batches.stream().mapToInt(Integer::intValue).sum()).isEqualTo(51);
    assertThat(batches.size()).isLessThanOrEqualTo(3);
  }

  @Test
  void write_manyOfOneUser_doNotDelayAnotherUser() throws Exception {
    List<String> order = new CopyOnWriteArrayList<>();
    CountDownLatch go = new CountDownLatch(1);
    try (SqliteDb db = SqliteDb.open(directory.resolve("a.db"), WriteObserver.NONE);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch writeStarted = new CountDownLatch(1);
      List<Future<?>> works = new ArrayList<>();
      works.add(
          threads.submit(
              () ->
                  db.write(
                      handle -> {
                        writeStarted.countDown();
                        return await(go);
                      })));
      writeStarted.await();
      int queued = 0;
      for (String user : List.of("alice", "bob")) {
        for (int i = 0; i < (user.equals("alice") ? 1000 : 1); i++) {
          works.add(threads.submit(() -> as(user, () -> db.write(handle -> order.add(user)))));
          queued++;
        }
        while (db.pendingWrites() < queued) {
          Thread.onSpinWait();
        }
      }
      go.countDown();
      for (Future<?> work : works) {
        work.get();
      }
    }
    assertThat(order.indexOf("bob")).isEqualTo(1);
  }

  private static <T> T as(String user, Supplier<T> action) {
    Requester requester = new Requester(() -> user);
    requester.identify();
    return requester.call(action::get);
  }

  @Test
  void write_failedCommit_failsTheBatchOnly() {
    try (SqliteDb db = SqliteDb.open(directory.resolve("a.db"), WriteObserver.NONE)) {
      db.write(
          handle ->
              handle.execute(
                  "create table child (id text references users (id) deferrable initially"
                      + " deferred)"));
      assertThatThrownBy(
              () -> db.write(handle -> handle.execute("insert into child values ('nobody')")))
          .hasMessageContaining("the write failed");
      db.write(handle -> insert(handle, "after"));
      assertThat(
              db.<Long>read(
                  handle ->
                      handle.createQuery("select count(*) from child").mapTo(Long.class).one()))
          .isZero();
    }
  }

  @Test
  void write_nested_rejected() {
    try (SqliteDb db = SqliteDb.open(directory.resolve("a.db"), WriteObserver.NONE)) {
      assertThatThrownBy(() -> db.write(outer -> db.write(inner -> 1)))
          .isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void write_acknowledged_survivesKill() throws Exception {
    Path file = directory.resolve("killed.db");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                EndlessWriter.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> acknowledged = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        acknowledged.add(line);
        if (acknowledged.size() == 500) {
          // Uses the handle, because Process.destroyForcibly would close the pipe while it is read.
          child.toHandle().destroyForcibly();
        }
      }
    }
    child.waitFor();
    // The last line may be truncated by the kill; every other line is an acknowledged write.
    acknowledged.removeLast();
    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(499);
    try (SqliteDb db = SqliteDb.open(file, WriteObserver.NONE)) {
      List<String> found =
          db.read(
              handle -> handle.createQuery("select name from counter").mapTo(String.class).list());
      assertThat(found).containsAll(acknowledged);
    }
  }

  @Test
  void open_newerTables() {
    Path file = directory.resolve("newer.db");
    try (SqliteDb db = SqliteDb.open(file, WriteObserver.NONE)) {
      db.write(
          handle ->
              handle.execute(
                  "update flyway_schema_history set version = '9999' where version = '1'"));
    }
    assertThatThrownBy(() -> SqliteDb.open(file, WriteObserver.NONE))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo("config.db-newer"));
  }

  private static int insert(org.jdbi.v3.core.Handle handle, String name) {
    return handle.execute("insert into counter (name, next_value) values (?, 0)", name);
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
