package dev.trainyard.server.queue;

import dev.trainyard.engine.EngineException;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.user.User;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Provides the images of a job before its tasks are reserved. */
@FunctionalInterface
public interface JobImages {
  /**
   * Implementation for engines without images: returns the image names of the job file unchanged.
   */
  JobImages NONE = (_, _) -> UnaryOperator.identity();

  /**
   * The images that a job needs.
   *
   * @param images image names as written in the job file
   * @param resolveSecrets replaces references to the job's secrets with their values
   * @param stop completed when the images are no longer needed
   */
  record ImageRequest(
      Job job,
      User owner,
      JobSpec spec,
      Set<String> images,
      UnaryOperator<String> resolveSecrets,
      CompletableFuture<Void> stop) {}

  /** Receives the progress of providing images. */
  interface Progress {
    /** Sets the reason why the job is not running yet. */
    void setReason(Message reason);

    /** Adds an event to the job. */
    void addEvent(boolean warning, Message event);
  }

  /**
   * Waits until all images are available, but returns soon after a stop.
   *
   * @return a function that maps an image name of the job file to the reference that the engine
   *     uses
   * @throws EngineException if an image is not available
   */
  UnaryOperator<String> provide(ImageRequest request, Progress progress);
}
