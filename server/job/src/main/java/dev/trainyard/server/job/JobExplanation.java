package dev.trainyard.server.job;

import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import java.util.Optional;

/**
 * Explains the state of a job in lists.
 *
 * @param reason why the job waits or is being stopped, or how it finished
 * @param failure what the diagnosis of a failed job found; empty if the exit code says as much
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
