package dev.trainyard.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.RetryRule.Ending;
import dev.trainyard.model.RetryRule.Past;
import dev.trainyard.model.RetryRule.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryRuleTest {
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static String decided(int retryCount, ExitReason reason, Duration ran, Past past) {
    Ending ending = new Ending(reason == ExitReason.SUCCEEDED, reason, ran);
    return switch (RetryRule.decide(retryCount, ending, past)) {
      case Verdict.Over() -> "over";
      case Verdict.Hopeless(int faults) -> "hopeless " + faults;
      case Verdict.Again(AttemptCause cause, Past next, Duration pause) ->
          "%s %d %d %ds".formatted(cause, next.counted(), next.faults(), pause.toSeconds());
    };
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
    assertThat(decided(retryCount, reason, SHORT, new Past(counted, faults))).isEqualTo(expected);
  }

  @Test
  void decide_faultAfterALongRunIsANewOne() {
    assertThat(decided(0, ExitReason.NODE_LOST, RetryRule.LONG_RUN, new Past(0, 9)))
        .isEqualTo("PLATFORM_FAULT 0 1 0s");
  }

  @Test
  void decide_longRunsNeedNoPause() {
    assertThat(decided(-1, ExitReason.COMMAND_FAILED, RetryRule.LONG_RUN, new Past(99, 0)))
        .isEqualTo("FAILURE 100 0 0s");
  }

  @Test
  void decide_pausesGrowAndThereIsAnEnd() {
    List<Long> pauses = new ArrayList<>();
    Past past = Past.NONE;
    Ending lost = new Ending(false, ExitReason.SUPERVISOR_LOST, SHORT);
    while (RetryRule.decide(0, lost, past) instanceof Verdict.Again again) {
      pauses.add(again.backOff().toSeconds());
      past = again.past();
    }
    assertThat(pauses).hasSize(RetryRule.HOPELESS - 1).isSorted().startsWith(0L, 0L, 10L);
  }
}
