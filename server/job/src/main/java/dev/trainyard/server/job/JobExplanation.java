package dev.trainyard.server.job;

import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import java.util.Optional;

/**
 * Explains the state of a job in lists.
 *
 * @param reason why the job waits or is being stopped, or how it finished
 * @param failure cause of the failure that the diagnosis found; empty if the cause adds nothing to
 *     the exit code
 */
public record JobExplanation(Optional<Message> reason, Optional<Message> failure) {
  /** Prefix of the reasons that only a change of the nodes or limits can remove. */
  private static final String NEVER = "wait.never-";

  /** Returns whether this job waits for resources that the nodes or limits can never provide. */
  boolean isUnschedulable(Job job) {
    return job.state() == JobState.WAITING
        && reason.filter(message -> message.code().startsWith(NEVER)).isPresent();
  }
}
