package dev.trainyard.server.work;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkPoolsTest {
  private static boolean runsOnCaller(String text) {
    Thread caller = Thread.currentThread();
    return WorkPools.runForText(text, () -> Thread.currentThread().equals(caller));
  }

  @Test
  void runForText_shortFileThatMayExpand_runsInThePool() {
    assertThat(runsOnCaller("a: &x 1\nb: *x")).isFalse();
    assertThat(runsOnCaller("commands: ['<% $parameters.a %>']")).isFalse();
  }

  @Test
  void runForText_plainFile_runsInThePoolIfItIsLong() {
    assertThat(runsOnCaller("commands: [echo hello]")).isTrue();
    assertThat(runsOnCaller("x".repeat(5_000))).isFalse();
  }

  private static String poolOf(String text) {
    return poolName(WorkPools.runForText(text, () -> Thread.currentThread().getName()));
  }

  private static String poolOfSize(int count, long bytes) {
    return poolName(WorkPools.runForSize(count, bytes, () -> Thread.currentThread().getName()));
  }

  private static String poolName(String threadName) {
    return threadName.substring(0, threadName.lastIndexOf(' '));
  }

  @Test
  void run_shortWork_doesNotWaitForTheLargestFiles() {
    assertThat(poolOf("x".repeat(5_000))).isEqualTo("short parsing");
    assertThat(poolOfSize(500, 0)).as("a page of a list").isEqualTo("short parsing");
    assertThat(poolOf("x".repeat(500_000))).isEqualTo("parsing");
    assertThat(poolOf("a: &x 1\nb: *x")).as("its expanded length is unknown").isEqualTo("parsing");
    assertThat(poolOfSize(10_000, 0)).isEqualTo("parsing");
    assertThat(poolOfSize(1, 10_000_000)).isEqualTo("parsing");
  }
}
