package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The reasons for the states of jobs, as shown to users. */
final class JobReasons {
  private JobReasons() {}

  static List<Optional<Message>> of(JobQueue queue, List<Job> jobs) {
    // Includes running jobs, because a running job without gang scheduling may still have waiting
    // tasks.
    Map<JobId, Message> waitReasons =
        queue.explain(
            jobs.stream()
                .filter(
                    job ->
                        job.state() == JobState.WAITING
                            || job.state() == JobState.PREPARING
                            || job.state() == JobState.RUNNING)
                .map(Job::id)
                .toList());
    return jobs.stream()
        .map(job -> of(job, Optional.ofNullable(waitReasons.get(job.id()))))
        .toList();
  }

  /** Returns, for each job, the reason for its state and, for a failed job, the diagnosed cause. */
  static List<JobExplanation> explanations(
      Db db, AttemptStore attempts, JobQueue queue, List<Job> jobs) {
    List<Optional<Message>> reasons = of(queue, jobs);
    List<JobId> failed =
        jobs.stream().filter(job -> job.state() == JobState.FAILED).map(Job::id).toList();
    Map<JobId, TaskDiagnosis> diagnoses =
        failed.isEmpty() ? Map.of() : db.read(handle -> attempts.newestDiagnoses(handle, failed));
    List<JobExplanation> explanations = new ArrayList<>();
    for (int i = 0; i < jobs.size(); i++) {
      Optional<Message> failure =
          Optional.ofNullable(diagnoses.get(jobs.get(i).id())).flatMap(TaskDiagnosis::failure);
      explanations.add(new JobExplanation(reasons.get(i), failure));
    }
    return explanations;
  }

  private static Optional<Message> of(Job job, Optional<Message> waitReason) {
    return switch (job.state()) {
      case WAITING -> waitReason;
      case PREPARING, RUNNING -> waitReason.or(job.status()::reason);
      case PAUSED -> job.status().stoppedBy().map(user -> Message.of("wait.paused", "user", user));
      case STOPPING -> job.status().stop().map(StopRequest::reason);
      case SUCCEEDED, FAILED, STOPPED -> job.status().reason();
    };
  }
}
