package dev.trainyard.server.job;

import dev.trainyard.model.TaskId;
import dev.trainyard.server.db.Db;
import java.util.List;

/** Reads the runs of tasks that were retried individually. */
public final class TaskRuns {
  /** Maximum number of runs that are read; a task with unlimited retries may have more. */
  public static final int MAX_RUNS = 500;

  private final Db db;

  public TaskRuns(Db db) {
    this.db = db;
  }

  /** Returns the newest previous run of each retried task of an attempt. */
  public List<PreviousRun> newest(Job job, int attempt) {
    return db.read(handle -> PreviousRunStore.newest(handle, job.id(), attempt));
  }

  /** Returns the newest previous runs of a task, newest first. */
  public List<PreviousRun> list(TaskId task) {
    return db.read(handle -> PreviousRunStore.list(handle, task, Integer.MAX_VALUE, MAX_RUNS));
  }
}
