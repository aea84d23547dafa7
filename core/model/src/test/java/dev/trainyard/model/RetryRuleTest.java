package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.RetryRule.AttemptResult;
import dev.trainyard.model.RetryRule.Limits;
import dev.trainyard.model.RetryRule.Past;
import dev.trainyard.model.RetryRule.Verdict;
import dev.trainyard.model.diagnosis.ExitTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryRuleTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static Past past(int counted, int faults) {
    return new Past(counted, faults, 0, Map.of());
  }

  private static String verdictOf(int retryCount, ExitReason reason, Duration ran, Past past) {
    RetryBehavior retryBehavior =
        ExitTable.of(new TaskEnd(1, reason, "", Instant.EPOCH)).reaction();
    AttemptResult ending =
        new AttemptResult(reason == ExitReason.SUCCEEDED, retryBehavior, "main-0", ran, 0);
    return text(RetryRule.decide(new Limits(retryCount, 0), ending, past));
  }

  private static String text(Verdict verdict) {
    return switch (verdict) {
      case Verdict.NoRetry() -> "over";
      case Verdict.GiveUp(int faults) -> "hopeless " + faults;
      case Verdict.Retry(AttemptCause cause, Past next, Duration pause) ->
          "%s %d %d %ds".formatted(cause, next.counted(), next.faults(), pause.toSeconds());
    };
  }

  private static AttemptResult failed(RetryBehavior retryBehavior, String task) {
    return new AttemptResult(false, retryBehavior, task, SHORT, 0);
  }

  @ParameterizedTest
  @CsvSource({
    // retryCount, reason, counted, faults, verdict
    "0, SUCCEEDED, 0, 0, over",
    "3, SUCCEEDED, 0, 0, over",
    "-1, SUCCEEDED, 0, 0, over",
    "-2, SUCCEEDED, 0, 0, ALWAYS 1 0 0s",
    "0, COMMAND_FAILED, 0, 0, over",
    "2, COMMAND_FAILED, 0, 0, FAILURE 1 0 0s",
    "2, COMMAND_FAILED, 1, 3, FAILURE 2 0 0s",
    "2, COMMAND_FAILED, 2, 0, over",
    "-1, COMMAND_FAILED, 5, 0, FAILURE 6 0 0s",
    "-2, COMMAND_FAILED, 5, 0, FAILURE 6 0 0s",
    "-1, COMMAND_FAILED, 10, 0, FAILURE 11 0 10s",
    "-2, SUCCEEDED, 2147483647, 0, ALWAYS 2147483647 0 10s",
    "1, OUT_OF_MEMORY, 0, 0, FAILURE 1 0 0s",
    "1, KILLED_BY_SIGNAL, 0, 0, FAILURE 1 0 0s",
    "1, DISK_FULL, 0, 0, FAILURE 1 0 0s",
    "1, STOPPED, 0, 0, FAILURE 1 0 0s",
    "0, STOPPED, 0, 0, over",
    "5, START_REFUSED, 0, 0, over",
    "-2, START_REFUSED, 0, 0, over",
    "0, SUPERVISOR_LOST, 0, 0, PLATFORM_FAULT 0 1 0s",
    "0, NODE_LOST, 0, 1, PLATFORM_FAULT 0 2 0s",
    "0, START_FAILED, 0, 2, PLATFORM_FAULT 0 3 10s",
    "0, START_FAILED, 4, 3, PLATFORM_FAULT 4 4 30s",
    "0, START_FAILED, 0, 8, PLATFORM_FAULT 0 9 600s",
    "0, START_FAILED, 0, 9, hopeless 10",
    "-2, NODE_LOST, 7, 9, hopeless 10",
  })
  void decide_shortRuns(
      int retryCount, ExitReason reason, int counted, int faults, String expected) {
    assertThat(verdictOf(retryCount, reason, SHORT, past(counted, faults))).isEqualTo(expected);
  }

  @Test
  void decide_faultAfterLongRun_countsAsFirst() {
    assertThat(verdictOf(0, ExitReason.NODE_LOST, RetryRule.LONG_RUN, past(0, 9)))
        .isEqualTo("PLATFORM_FAULT 0 1 0s");
  }

  @Test
  void decide_longRuns_noPause() {
    assertThat(verdictOf(-1, ExitReason.COMMAND_FAILED, RetryRule.LONG_RUN, past(99, 0)))
        .isEqualTo("FAILURE 100 0 0s");
  }

  @Test
  void decide_faults_pausesGrowUntilGivenUp() {
    List<Long> pauses = new ArrayList<>();
    Past past = Past.NONE;
    AttemptResult fault = failed(RetryBehavior.FREE, "main-0");
    while (RetryRule.decide(new Limits(0, 0), fault, past) instanceof Verdict.Retry again) {
      pauses.add(again.backOff().toSeconds());
      past = again.past();
    }
    assertThat(pauses)
        .hasSize(RetryRule.MAX_PLATFORM_FAILURES - 1)
        .isSorted()
        .startsWith(0L, 0L, 10L);
  }

  @Test
  void decide_undefinedNegativeCount_isNotUnlimited() {
    assertThat(verdictOf(-3, ExitReason.COMMAND_FAILED, SHORT, Past.NONE)).isEqualTo("over");
  }

  @Test
  void decide_conflicts_areUncountedAtFirstThenCounted() {
    AttemptResult conflict = failed(RetryBehavior.BACK_OFF, "main-0");
    List<String> verdicts = new ArrayList<>();
    Past past = Past.NONE;
    while (RetryRule.decide(new Limits(1, 0), conflict, past) instanceof Verdict.Retry again
        && verdicts.size() < 6) {
      verdicts.add(text(again));
      past = again.past();
    }
    assertThat(verdicts)
        .containsExactly(
            "CONFLICT 0 0 60s",
            "CONFLICT 0 0 120s",
            "CONFLICT 0 0 240s",
            "FAILURE 1 0 0s",
            "CONFLICT 1 0 60s",
            "CONFLICT 1 0 120s");
  }

  @Test
  void decide_conflict_jobsGetDifferentPauses() {
    AttemptResult conflict = new AttemptResult(false, RetryBehavior.BACK_OFF, "main-0", SHORT, 99);
    assertThat(text(RetryRule.decide(new Limits(0, 0), conflict, Past.NONE)))
        .isEqualTo("CONFLICT 0 0 119s");
  }

  @Test
  void decide_taskRetries_restartAfterJobRetry() {
    Limits limits = new Limits(1, 2);
    List<String> verdicts = new ArrayList<>();
    Past past = Past.NONE;
    for (String task : List.of("w-0", "w-1", "w-0", "w-0", "w-0", "w-1", "w-1", "w-0", "w-1")) {
      Verdict verdict = RetryRule.decide(limits, failed(RetryBehavior.COUNTED, task), past);
      verdicts.add(text(verdict));
      past = verdict instanceof Verdict.Retry again ? again.past() : past;
    }
    assertThat(verdicts)
        .containsExactly(
            "TASK_FAILURE 0 0 0s",
            "TASK_FAILURE 0 0 0s",
            "TASK_FAILURE 0 0 0s",
            "FAILURE 1 0 0s",
            "TASK_FAILURE 1 0 0s",
            "TASK_FAILURE 1 0 0s",
            "TASK_FAILURE 1 0 0s",
            "TASK_FAILURE 1 0 0s",
            "over");
    assertThat(past.tasks()).isEqualTo(Map.of("w-0", 2, "w-1", 2));
  }

  @Test
  void decide_taskWithEndlessRetries_slowsDown() {
    Past past = new Past(0, 0, 0, Map.of("w-0", 10));
    assertThat(
            text(RetryRule.decide(new Limits(0, -1), failed(RetryBehavior.COUNTED, "w-0"), past)))
        .isEqualTo("TASK_FAILURE 0 0 10s");
  }
}
