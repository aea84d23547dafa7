package dev.trainyard.model;

import static dev.trainyard.model.JobState.FAILED;
import static dev.trainyard.model.JobState.PAUSED;
import static dev.trainyard.model.JobState.PREPARING;
import static dev.trainyard.model.JobState.RUNNING;
import static dev.trainyard.model.JobState.STOPPED;
import static dev.trainyard.model.JobState.STOPPING;
import static dev.trainyard.model.JobState.SUCCEEDED;
import static dev.trainyard.model.JobState.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Repeats the state tables, so that a change of one must be deliberate. */
class StatesTest {
  private static final Map<JobState, Set<JobState>> NEXT_STATES =
      Map.of(
          WAITING, EnumSet.of(PREPARING, PAUSED, STOPPED, FAILED),
          PREPARING, EnumSet.of(RUNNING, STOPPING, WAITING, SUCCEEDED, FAILED, STOPPED),
          RUNNING, EnumSet.of(STOPPING, WAITING, SUCCEEDED, FAILED, STOPPED),
          STOPPING, EnumSet.of(STOPPING, STOPPED, FAILED, SUCCEEDED, PAUSED, WAITING),
          PAUSED, EnumSet.of(WAITING, STOPPED),
          SUCCEEDED, EnumSet.noneOf(JobState.class),
          FAILED, EnumSet.noneOf(JobState.class),
          STOPPED, EnumSet.noneOf(JobState.class));

  @ParameterizedTest
  @EnumSource
  void job_nextStates(JobState state) {
    Set<JobState> allowed =
        Arrays.stream(JobState.values()).filter(state::canBecome).collect(Collectors.toSet());
    assertThat(allowed).isEqualTo(NEXT_STATES.get(state));
    assertThat(state.isFinal()).isEqualTo(allowed.isEmpty());
  }

  @ParameterizedTest
  @EnumSource
  void job_holdsResources(JobState state) {
    assertThat(state.holdsResources())
        .isEqualTo(EnumSet.of(PREPARING, RUNNING, STOPPING).contains(state));
  }

  @ParameterizedTest
  @EnumSource
  void job_canAlwaysReachAFinalState(JobState state) {
    assertThat(state.isFinal() || state.canBecome(STOPPED)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void task_states_onlyAdvance(TaskState state) {
    List<TaskState> order =
        List.of(
            TaskState.ASSIGNED,
            TaskState.STARTING,
            TaskState.RUNNING,
            TaskState.STOPPING,
            TaskState.ENDED);
    assertThat(order).containsExactly(TaskState.values());
    for (TaskState next : order) {
      assertThat(state.canBecome(next)).isEqualTo(order.indexOf(next) > order.indexOf(state));
    }
  }

  @ParameterizedTest
  @EnumSource
  void exitReason_blame_isAssigned(ExitReason reason) {
    ExitReason.Blame expected =
        switch (reason) {
          case SUCCEEDED, STOPPED -> ExitReason.Blame.NOBODY;
          case COMMAND_FAILED, KILLED_BY_SIGNAL, OUT_OF_MEMORY, DISK_FULL, START_REFUSED ->
              ExitReason.Blame.USER;
          case START_FAILED, SUPERVISOR_LOST, NODE_LOST -> ExitReason.Blame.PLATFORM;
        };
    assertThat(reason.blame()).isEqualTo(expected);
  }
}
