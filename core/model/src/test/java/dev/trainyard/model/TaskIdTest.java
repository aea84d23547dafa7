package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaskIdTest {
  private static final String JOB = "01ARYZ6S410000000000000000";

  @ParameterizedTest
  @ValueSource(strings = {"main", "a.b", ".", "..", "...", "1.2", "0", "-", "~", "run_on_1_gpu"})
  void parse_outputOfToString(String role) {
    TaskId task = new TaskId(new JobId(JOB), 3, role, 17);
    assertThat(TaskId.parse(task.toString())).isEqualTo(task);
    assertThat(TaskId.parse(task.again().again().toString()))
        .isEqualTo(new TaskId(new JobId(JOB), 3, role, 17, 2));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        JOB,
        JOB + ".1",
        JOB + ".1.main",
        JOB + ".1..0",
        JOB + ".1.main.",
        JOB + ".1.main.+1",
        JOB + ".1.main.01",
        JOB + ".1.main.-1",
        JOB + ".01.main.1",
        JOB + ".1r0.main.1",
        JOB + ".1r01.main.1",
        JOB + ".1r.main.1",
        JOB + ".1r-1.main.1",
        JOB + ".1r1r1.main.1",
        JOB + ".1.main.99999999999",
        JOB + ".1.main.١",
        JOB + ".1.ma/in.1",
        JOB + ".1.ma in.1",
        "x" + JOB + ".1.main.1",
        "../" + JOB + ".1.main.1"
      })
  void parse_invalid(String text) {
    assertThatThrownBy(() -> TaskId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void new_unsafe() {
    JobId job = new JobId(JOB);
    assertThatThrownBy(() -> new TaskId(job, 1, "../x", 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TaskId(job, 1, "", 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new TaskId(job, 1, "main", -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void toString_longest_fitsInFileName() {
    int max = Integer.MAX_VALUE;
    TaskId task = new TaskId(new JobId(JOB), max, "r".repeat(128), max, max);
    assertThat(task.toString().getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(255 - 40);
  }

  @Test
  void jobId_sortsByText() {
    assertThat(new JobId(JOB)).isLessThan(new JobId("01ARYZ6S410000000000000001"));
    assertThatThrownBy(() -> new JobId("../../etc/passwd"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
