package dev.trainyard.server.queue;

import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.job.Job;
import java.nio.file.Path;

/** Jobs whose only task is the build of an image. */
public interface JobBuilds {
  /** For engines that have no images: nobody could submit one. */
  JobBuilds NONE =
      new JobBuilds() {
        @Override
        public Steps steps(Job job, String image) {
          throw new IllegalStateException("this engine builds no images");
        }

        @Override
        public TaskEnd finish(Job job, TaskId task, TaskEnd end) {
          return end;
        }
      };

  /**
   * What the task of a build does.
   *
   * @param context what it copies from, to be seen at the target
   */
  record Steps(String script, Path context, String target) {}

  /**
   * @param image what the engine is told for the one it begins with
   * @throws dev.trainyard.engine.EngineException if it can't be built after all
   */
  Steps steps(Job job, String image);

  /**
   * The task has done its steps, and its end is not recorded yet: makes the image, unless that
   * happened in an earlier life of the server.
   *
   * @return how it ended after all
   */
  TaskEnd finish(Job job, TaskId task, TaskEnd end);
}
