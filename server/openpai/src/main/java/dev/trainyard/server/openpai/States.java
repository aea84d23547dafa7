package dev.trainyard.server.openpai;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobState;
import dev.trainyard.model.StopCause;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobInfo;
import dev.trainyard.server.job.JobSearch.StateFilter;
import dev.trainyard.server.job.Task;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Maps states to OpenPAI's names. OpenPAI has no paused jobs, so they are shown as waiting. A job
 * whose outcome is decided and whose remaining tasks are being stopped is shown as running; a job
 * for which a stop was requested is shown as stopping.
 */
final class States {
  /** Stop causes that give the job the final state STOPPED. */
  private static final Set<StopCause> FINAL_STOP_CAUSES =
      EnumSet.of(StopCause.USER, StopCause.WALL_TIME, StopCause.IDLE);

  static final int STOPPED_CODE = -210;
  static final int SURPLUS_CODE = -220;

  private States() {}

  static String state(JobInfo job) {
    return switch (job.state()) {
      case WAITING, PREPARING, PAUSED -> "WAITING";
      case RUNNING -> "RUNNING";
      case STOPPING -> isStoppedFinally(job) ? "STOPPING" : "RUNNING";
      case SUCCEEDED, FAILED, STOPPED -> job.state().name();
    };
  }

  private static boolean isStoppedFinally(JobInfo job) {
    return job.stopCause().map(FINAL_STOP_CAUSES::contains).orElse(false);
  }

  static String subState(JobInfo job) {
    return switch (job.state()) {
      case WAITING, PAUSED -> "AttemptCreationPending";
      case PREPARING -> "AttemptPreparing";
      case RUNNING -> "AttemptRunning";
      case STOPPING -> "AttemptDeleting";
      case SUCCEEDED, FAILED, STOPPED -> "Completed";
    };
  }

  static String executionType(JobInfo job) {
    return job.stopCause().equals(Optional.of(StopCause.USER)) ? "STOP" : "START";
  }

  /** Returns the state of an attempt; the newest attempt has the state of its job. */
  static String state(Job job, Attempt attempt) {
    if (attempt.number() == job.status().attempt() && job.state() != JobState.WAITING) {
      return state(job);
    }
    if (attempt.end().map(end -> end.succeeded()).orElse(false)) {
      return "SUCCEEDED";
    }
    return attempt.stopCause().map(FINAL_STOP_CAUSES::contains).orElse(false)
        ? "STOPPED"
        : "FAILED";
  }

  /**
   * Returns the states that correspond to a state of OpenPAI in a search; empty for an unknown
   * state.
   */
  static List<StateFilter> matchingStates(String state) {
    return switch (state) {
      case "WAITING" ->
          List.of(
              StateFilter.of(JobState.WAITING),
              StateFilter.of(JobState.PREPARING),
              StateFilter.of(JobState.PAUSED));
      case "RUNNING" ->
          List.of(
              StateFilter.of(JobState.RUNNING),
              new StateFilter(
                  JobState.STOPPING, EnumSet.complementOf(EnumSet.copyOf(FINAL_STOP_CAUSES))));
      case "STOPPING" -> List.of(new StateFilter(JobState.STOPPING, FINAL_STOP_CAUSES));
      case "SUCCEEDED" -> List.of(StateFilter.of(JobState.SUCCEEDED));
      case "FAILED" -> List.of(StateFilter.of(JobState.FAILED));
      case "STOPPED" -> List.of(StateFilter.of(JobState.STOPPED));
      default -> List.of();
    };
  }

  static String state(Job job, Task task) {
    return switch (task.state()) {
      case ASSIGNED, STARTING -> "WAITING";
      case RUNNING -> "RUNNING";
      case STOPPING -> isStoppedFinally(job) ? "STOPPING" : "RUNNING";
      case ENDED ->
          switch (task.end().orElseThrow().reason()) {
            case SUCCEEDED -> "SUCCEEDED";
            case STOPPED -> "STOPPED";
            case COMMAND_FAILED,
                KILLED_BY_SIGNAL,
                OUT_OF_MEMORY,
                DISK_FULL,
                START_REFUSED,
                START_FAILED,
                SUPERVISOR_LOST,
                NODE_LOST ->
                "FAILED";
          };
    };
  }

  /** Returns the exit code of a finished task; tasks that were stopped have specific codes. */
  static Integer exitCode(Job job, Task task) {
    if (task.end().isEmpty()) {
      return null;
    }
    if (task.end().get().reason() == ExitReason.STOPPED) {
      return isStoppedFinally(job) ? STOPPED_CODE : SURPLUS_CODE;
    }
    return task.end().get().exitCode();
  }

  static Integer exitCode(JobInfo job) {
    return switch (job.state()) {
      case SUCCEEDED -> Integer.valueOf(0);
      case STOPPED -> Integer.valueOf(STOPPED_CODE);
      case FAILED -> job.exitCode().isPresent() ? job.exitCode().getAsInt() : null;
      case WAITING, PREPARING, RUNNING, STOPPING, PAUSED -> null;
    };
  }
}
