package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.cli.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TaskLogsTest {
  private static List<Json> tasks(int count, int retry) {
    List<Json> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      tasks.add(new Json(Map.of("role", "m", "index", i, "retry", retry)));
    }
    return tasks;
  }

  @Test
  void start_limitReached_othersStartLater() throws InterruptedException {
    Map<String, CountDownLatch> ends = new ConcurrentHashMap<>();
    var startedPrefixes = new LinkedBlockingQueue<String>();
    TaskLogs logs =
        new TaskLogs(
            2,
            (run, stream, prefix) -> {
              startedPrefixes.add(prefix);
              ends.computeIfAbsent(run.index(), index -> new CountDownLatch(1)).await();
            });
    logs.addRuns(tasks(3, 0), 1);
    assertThat(logs.start()).isTrue();
    assertThat(
            List.of(
                startedPrefixes.take(),
                startedPrefixes.take(),
                startedPrefixes.take(),
                startedPrefixes.take()))
        .containsExactlyInAnyOrder("m-0 | ", "m-0 | ", "m-1 | ", "m-1 | ");
    assertThat(logs.start()).isFalse();
    ends.get("1").countDown();
    while (!logs.start()) {
      Thread.onSpinWait();
    }
    assertThat(List.of(startedPrefixes.take(), startedPrefixes.take()))
        .containsExactly("m-2 | ", "m-2 | ");
    assertThat(startedPrefixes).isEmpty();
    ends.values().forEach(CountDownLatch::countDown);
    logs.finish();
  }

  @Test
  void start_nextRunOfTask_afterPreviousRun() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    TaskLogs logs = new TaskLogs(4, (run, stream, prefix) -> end.await());
    logs.addRuns(tasks(1, 1), 1);
    assertThat(logs.start()).isTrue();
    assertThat(logs.start()).isFalse();
    end.countDown();
    while (!logs.start()) {
      Thread.onSpinWait();
    }
    logs.finish();
  }

  @Test
  void finish_everyRunOfEveryTask_inOrder() throws InterruptedException {
    List<TaskLogs.Run> copied = new CopyOnWriteArrayList<>();
    TaskLogs logs =
        new TaskLogs(
            4,
            (run, stream, prefix) -> {
              if (stream.equals("stderr")) {
                copied.add(run);
              }
            });
    logs.addRuns(tasks(10, 0), 7);
    logs.start();
    logs.addRuns(tasks(10, 2), 7);
    logs.finish();
    assertThat(copied).hasSize(30).doesNotHaveDuplicates();
    assertThat(copied.stream().filter(run -> run.index().equals("9")))
        .containsExactly(
            new TaskLogs.Run("m", "9", 7, 0),
            new TaskLogs.Run("m", "9", 7, 1),
            new TaskLogs.Run("m", "9", 7, 2));
  }

  @Test
  void finish_failure_isRethrown() {
    TaskLogs logs =
        new TaskLogs(
            1,
            (run, stream, prefix) -> {
              throw new IllegalStateException("broken");
            });
    logs.addRuns(tasks(5, 0), 1);
    assertThatThrownBy(logs::finish).hasMessage("broken");
  }

  @Test
  void path_namesTheRun() {
    assertThat(new TaskLogs.Run("a b", "3", 2, 1).path("01J", "stdout"))
        .isEqualTo("/api/v3/jobs/01J/logs/a%20b/3/stdout?follow=true&attempt=2&retry=1");
  }
}
