package dev.trainyard.server.queue;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import java.nio.file.Path;

/** Builds images in jobs whose only task is the build. */
public interface JobBuilds {
  /** Implementation for engines without images, to which builds cannot be submitted. */
  JobBuilds NONE =
      new JobBuilds() {
        @Override
        public Steps steps(Job job, String image) {
          throw new IllegalStateException("this engine does not build images");
        }

        @Override
        public TaskEnd finish(Job job, TaskId task, TaskEnd end) {
          return end;
        }
      };

  /**
   * The steps that the task of a build runs.
   *
   * @param context directory that the build copies from; mounted at {@code target}
   */
  record Steps(String script, Path context, String target) {}

  /**
   * @param image reference of the base image as the engine understands it
   * @throws dev.trainyard.engine.EngineException if the image cannot be built
   */
  Steps steps(Job job, String image);

  /**
   * Creates the image after the task has run its steps and before its end is recorded. Does nothing
   * if a previous server process has already created the image.
   *
   * @return the end to record for the task
   */
  TaskEnd finish(Job job, TaskId task, TaskEnd end);
}
