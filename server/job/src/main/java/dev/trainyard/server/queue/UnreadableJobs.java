package dev.trainyard.server.queue;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.job.AttemptEnd;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.AttemptStore.EndedTask;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.Task;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails unfinished jobs whose stored spec cannot be read, so that such a job does not affect the
 * others and can be deleted. The reconciliation removes tasks that the engine still runs.
 */
record UnreadableJobs(Db db, JobStore jobs, AttemptStore attempts, InstantSource clock) {
  private static final Logger LOG = LoggerFactory.getLogger(UnreadableJobs.class);
  private static final int KILLED_EXIT_CODE = 137;

  void fail(JobId id, AppException error) {
    LOG.error("failed to read the spec of job {}; the job fails", id, error);
    Message message = Message.of("end.unreadable-spec");
    Object detail = error.text().params().get("detail");
    Message reason = message.with("detail", detail == null ? error.getMessage() : detail);
    db.write(
        handle -> {
          jobs.find(handle, id).ifPresent(job -> fail(handle, job, reason));
          return null;
        });
  }

  private void fail(Handle handle, Job job, Message reason) {
    if (!job.state().canBecome(JobState.FAILED)) {
      return;
    }
    Instant now = clock.instant();
    if (job.state().holdsResources()) {
      endTasks(handle, job, now);
      AttemptEnd end =
          new AttemptEnd(false, OptionalInt.empty(), Optional.of(reason), Optional.empty());
      attempts.storeOutcome(
          handle, job.id(), job.status().attempt(), end, job.status().stop(), Optional.of(now));
    }
    jobs.change(
        handle,
        job,
        job.status().ended(JobState.FAILED, OptionalInt.empty(), Optional.of(reason), now));
  }

  private void endTasks(Handle handle, Job job, Instant now) {
    List<Task> tasks = attempts.list(handle, job.id(), job.status().attempt());
    TaskEnd end = new TaskEnd(KILLED_EXIT_CODE, ExitReason.STOPPED, "", now);
    int order = (int) tasks.stream().filter(task -> task.end().isPresent()).count();
    List<EndedTask> endedTasks = new ArrayList<>();
    for (Task task : tasks) {
      if (task.end().isEmpty()) {
        order++;
        endedTasks.add(new EndedTask(task.id(), end, order));
      }
    }
    attempts.recordEnds(handle, endedTasks);
    PortStore.delete(handle, tasks.stream().map(Task::id).toList());
  }
}
