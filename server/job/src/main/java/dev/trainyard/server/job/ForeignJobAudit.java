package dev.trainyard.server.job;

import dev.trainyard.model.TaskId;
import dev.trainyard.server.audit.ForeignAccess;
import dev.trainyard.server.http.Caller;
import java.util.Map;

/**
 * Writes audit records for administrators' access to other users' jobs: for the data that they read
 * and the commands that they run. Thread-safe.
 */
public final class ForeignJobAudit {
  private final ForeignAccess access;

  ForeignJobAudit(ForeignAccess access) {
    this.access = access;
  }

  /** Must be called before any byte of a log is sent. */
  public void recordLogRead(Caller caller, Job job) {
    recordRead(caller, job, "job.read-log");
  }

  /** Must be called before names or contents of saved files are sent. */
  public void recordOutputRead(Caller caller, Job job) {
    recordRead(caller, job, "job.read-output");
  }

  /** Must be called before the job file is sent. */
  public void recordConfigRead(Caller caller, Job job) {
    recordRead(caller, job, "job.read-config");
  }

  private void recordRead(Caller caller, Job job, String action) {
    access.recordRead(caller, job.userId(), action, JobControl.auditTarget(job));
  }

  /** Must be called before a command is started in a task. */
  public void recordExec(Caller caller, Job job, TaskId task) {
    Map<String, String> details =
        Map.of("id", job.id().value(), "task", task.role() + "-" + task.index());
    access.recordAction(caller, job.userId(), "job.exec", JobControl.auditTarget(job), details);
  }
}
