package dev.trainyard.scheduler;

import dev.trainyard.model.JobId;
import java.util.List;

/** What should be done now, in this order. */
public record Plan(List<Start> starts) {
  /** A job that can start, every task with its place; of one without a gang, some more tasks. */
  public record Start(JobId job, List<TaskPlacement> tasks) {
    public Start {
      tasks = List.copyOf(tasks);
    }
  }

  public Plan {
    starts = List.copyOf(starts);
  }
}
