package dev.trainyard.server.queue;

import dev.trainyard.model.CompletionRule.EndedTask;
import dev.trainyard.model.CompletionRule.Outcome;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.StopCause;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.JobStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** How ends of tasks are told as the end of their job. Pure. */
final class Endings {
  private Endings() {}

  /** The attempt's end in words. */
  static AttemptEnd of(JobSpec spec, Outcome outcome, List<EndedTask> ended) {
    EndedTask decisive = outcome.decisive().orElse(ended.getLast());
    OptionalInt exitCode = OptionalInt.of(decisive.end().exitCode());
    if (outcome.succeeded()) {
      // Where tasks may fail, the job's code is that of success all the same.
      return new AttemptEnd(true, OptionalInt.of(0), Optional.of(Message.of("end.succeeded")));
    }
    return new AttemptEnd(false, exitCode, Optional.of(sentence(spec, decisive)));
  }

  private static Message sentence(JobSpec spec, EndedTask task) {
    TaskEnd end = task.end();
    Message message =
        switch (end.reason()) {
          case SUCCEEDED -> Message.of("end.succeeded");
          case COMMAND_FAILED -> Message.of("end.exit-code", "exitCode", end.exitCode());
          case KILLED_BY_SIGNAL -> Message.of("end.signal", "signal", end.exitCode() - 128);
          case OUT_OF_MEMORY ->
              Message.of(
                  "end.out-of-memory",
                  "memoryMB",
                  spec.role(task.role()).resources().memory().megabytes());
          case DISK_FULL -> Message.of("end.disk-full");
          case STOPPED -> Message.of("end.stopped");
          case START_FAILED -> Message.of("end.start-failed", "detail", end.detail());
          case SUPERVISOR_LOST -> Message.of("end.supervisor-lost");
          case NODE_LOST -> Message.of("end.node-lost");
        };
    if (spec.taskCount() == 1 || message.code().equals("end.succeeded")) {
      return message;
    }
    return new Message(message.code() + ".task", message.params())
        .with("task", task.role() + "-" + task.index());
  }

  /**
   * The job's last state, once no task is left. Whoever stopped a job is told STOPPED, unless it
   * had come to its good end before the stop reached it.
   */
  static JobStatus last(JobStatus status, AttemptEnd end, List<EndedTask> ended, Instant now) {
    boolean stoppedByUser =
        status.state() == JobState.STOPPING
            && status.stopCause().equals(Optional.of(StopCause.USER));
    if (stoppedByUser && !ended.stream().allMatch(task -> task.end().succeeded())) {
      Message reason =
          status
              .stoppedBy()
              .map(user -> Message.of("end.stopped-by", "user", user))
              .orElse(Message.of("end.stopped"));
      return status.ended(
          JobState.STOPPED,
          OptionalInt.of(ended.getLast().end().exitCode()),
          Optional.of(reason),
          now);
    }
    return status.ended(
        end.succeeded() ? JobState.SUCCEEDED : JobState.FAILED, end.exitCode(), end.reason(), now);
  }
}
