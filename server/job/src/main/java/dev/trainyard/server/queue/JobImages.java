package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.user.User;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Sees to it that the images of a job are on the machine before its tasks get their room. */
@FunctionalInterface
public interface JobImages {
  /** For engines that have none: whatever the file says is passed on. */
  JobImages NONE = (_, _) -> UnaryOperator.identity();

  /**
   * What is wanted.
   *
   * @param images as the job file writes them
   * @param reveal puts the job's secrets into the places of their names
   * @param stop completed when nobody wants it any more
   */
  record Wanted(
      Job job,
      User owner,
      JobSpec spec,
      Set<String> images,
      UnaryOperator<String> reveal,
      CompletableFuture<Void> stop) {}

  /** Who is told how far it is. */
  interface Progress {
    /** Why the job does not run yet. */
    void now(Message reason);

    /** Something to be kept among the job's events. */
    void tell(boolean warning, Message event);
  }

  /**
   * Returns when all are there, or soon after the stop.
   *
   * @return says by what the file writes what the engine is to be told
   * @throws EngineException if one can't be had
   */
  UnaryOperator<String> bring(Wanted wanted, Progress progress);
}
