package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.CompletionRule.Outcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionRuleTest {
  private static RoleSpec role(String name, int tasks, int minFailed, int minSucceeded) {
    TaskResources resources =
        new TaskResources(1, DataSize.ofMegabytes(100), DataSize.ofMegabytes(64), 0, "");
    return new RoleSpec(name, tasks, resources, List.of(), "true", minFailed, minSucceeded);
  }

  private static JobSpec job(RoleSpec... roles) {
    return new JobSpec(
        JobFormat.OPENPAI_V1,
        "job",
        "image",
        "default",
        0,
        "",
        "",
        "",
        "",
        Map.of(),
        0,
        0,
        List.of(roles));
  }

  private static EndedTask endedTask(String role, int index, int exitCode) {
    ExitReason reason = exitCode == 0 ? ExitReason.SUCCEEDED : ExitReason.COMMAND_FAILED;
    return new EndedTask(role, index, new TaskEnd(exitCode, reason, "", Instant.EPOCH));
  }

  /**
   * Parses ends in order, for example {@code ps0+ worker1-}: plus for succeeded, minus for failed.
   */
  private static List<EndedTask> ends(String text) {
    List<EndedTask> ends = new ArrayList<>();
    for (String end : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      int sign = end.length() - 1;
      int index = end.charAt(sign - 1) - '0';
      ends.add(endedTask(end.substring(0, sign - 1), index, end.charAt(sign) == '+' ? 0 : 7));
    }
    return ends;
  }

  private static String decide(JobSpec job, String ends) {
    Optional<Outcome> outcome = CompletionRule.decide(job, ends(ends));
    if (outcome.isEmpty()) {
      return "continues";
    }
    String result = outcome.get().succeeded() ? "succeeded" : "failed";
    return outcome
        .get()
        .decisive()
        .map(task -> result + " by " + task.role() + task.index())
        .orElse(result);
  }

  /** The default of OpenPAI v1: every task of every role ends with 0. */
  @ParameterizedTest
  @CsvSource({
    "'', continues",
    "ps0+, continues",
    "worker0+ worker1+, continues",
    "ps0+ worker1+ worker0+, succeeded",
    "ps0-, failed by ps0",
    "worker1-, failed by worker1",
    "ps0+ worker1+ worker0-, failed by worker0",
    "worker0- ps0-, failed by worker0",
  })
  void decide_defaults(String ends, String expected) {
    assertThat(decide(job(role("ps", 1, 1, 0), role("worker", 2, 1, 0)), ends)).isEqualTo(expected);
  }

  /** LeinaoPAI's distributed example: the job succeeds when the workers succeed. */
  @ParameterizedTest
  @CsvSource({
    "worker0+, continues",
    "worker0+ worker1+, succeeded by worker1",
    "worker1+ worker0+, succeeded by worker0",
    "ps0-, failed by ps0",
    "worker0+ ps0- worker1+, failed by ps0",
    "worker0+ worker1+ ps0-, succeeded by worker1",
  })
  void decide_workersDecide(String ends, String expected) {
    assertThat(decide(job(role("ps", 1, 1, 0), role("worker", 2, 1, 2)), ends)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "w0-, continues",
    "w0- w1+ w2+, continues",
    "w0- w1+ w2-, failed by w2",
    "w0- w1+ w2+ w3+, succeeded",
  })
  void decide_minFailedTasksAboveOne_toleratesFailures(String ends, String expected) {
    assertThat(decide(job(role("w", 4, 2, 0)), ends)).isEqualTo(expected);
  }

  @Test
  void decide_rulesOff_succeedsWhenAllTasksFinished() {
    JobSpec job = job(role("w", 2, 0, 0));
    assertThat(decide(job, "w0-")).isEqualTo("continues");
    assertThat(decide(job, "w0- w1-")).isEqualTo("succeeded");
  }

  private static Optional<Outcome> decide(JobSpec job, ExitReason... reasons) {
    List<EndedTask> ends = new ArrayList<>();
    for (ExitReason reason : reasons) {
      ends.add(new EndedTask("w", ends.size(), new TaskEnd(255, reason, "", Instant.EPOCH)));
    }
    return CompletionRule.decide(job, ends);
  }

  @Test
  void decide_rulesOff_lostTaskDecides() {
    JobSpec job = job(role("w", 2, 0, 0));
    for (ExitReason lost : List.of(ExitReason.SUPERVISOR_LOST, ExitReason.NODE_LOST)) {
      assertThat(decide(job, lost))
          .hasValueSatisfying(outcome -> assertThat(outcome.succeeded()).isFalse());
    }
    assertThat(decide(job(role("w", 3, 2, 0)), ExitReason.START_REFUSED))
        .hasValueSatisfying(outcome -> assertThat(outcome.succeeded()).isFalse());
  }

  @Test
  void decide_rulesOff_stoppedTask_doesNotSucceed() {
    JobSpec job = job(role("w", 2, 0, 0));
    assertThat(decide(job, ExitReason.STOPPED)).isEmpty();
    assertThat(decide(job, ExitReason.STOPPED, ExitReason.COMMAND_FAILED))
        .hasValueSatisfying(outcome -> assertThat(outcome.succeeded()).isFalse());
  }

  @Test
  void decide_stoppedTask_countsAsFailed() {
    TaskEnd stoppedEnd = new TaskEnd(143, ExitReason.STOPPED, "", Instant.EPOCH);
    assertThat(
            CompletionRule.decide(
                job(role("w", 2, 1, 0)), List.of(new EndedTask("w", 0, stoppedEnd))))
        .hasValueSatisfying(outcome -> assertThat(outcome.succeeded()).isFalse());
  }

  @Test
  void decide_unknownRole() {
    assertThatThrownBy(() -> decide(job(role("w", 1, 1, 0)), "x0+"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /**
   * The result is the same whether ends are observed one by one or all at once, as after a restart.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void decide_laterEnds_changeNothing(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      int a = 1 + random.nextInt(3);
      int b = 1 + random.nextInt(3);
      JobSpec job =
          job(
              role("a", a, random.nextInt(a + 1), random.nextInt(a + 1)),
              role("b", b, random.nextInt(b + 1), random.nextInt(b + 1)));
      List<EndedTask> ends = new ArrayList<>();
      for (int i = 0; i < a + b; i++) {
        int code = random.nextInt(2);
        ends.add(i < a ? endedTask("a", i, code) : endedTask("b", i - a, code));
      }
      Collections.shuffle(ends, random);
      Optional<Outcome> previousOutcome = Optional.empty();
      for (int endCount = 0; endCount <= ends.size(); endCount++) {
        Optional<Outcome> outcome = CompletionRule.decide(job, ends.subList(0, endCount));
        if (previousOutcome.isPresent()) {
          assertThat(outcome).isEqualTo(previousOutcome);
        }
        previousOutcome = outcome;
      }
      assertThat(previousOutcome).as("all finished").isPresent();
    }
  }
}
