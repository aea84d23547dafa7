package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import java.util.List;

/** Jobs to start now, in this order. */
public record Plan(List<Start> starts) {
  /**
   * A job that can start, with the placements of all its tasks. For a job without gang scheduling
   * these may be only some of its tasks.
   */
  public record Start(JobId job, List<TaskPlacement> tasks) {
    public Start {
      tasks = List.copyOf(tasks);
    }
  }

  public Plan {
    starts = List.copyOf(starts);
  }
}
