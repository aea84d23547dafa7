package dev.trainyard.server.openpai;

import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A job in a list. */
final class JobSummary {
  private JobSummary() {}

  static Map<String, Object> of(Job job, List<String> tags, Instant now) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("debugId", PaiNames.debugId(job));
    view.put("name", job.name());
    view.put("username", job.userName());
    view.put("state", States.state(job));
    view.put("subState", States.subState(job));
    view.put("executionType", States.executionType(job));
    view.put("tags", tags);
    putRetries(view, job.status(), now);
    putTimes(view, job);
    view.put("appExitCode", States.exitCode(job));
    view.put("virtualCluster", job.virtualCluster());
    view.put("totalGpuNumber", job.devices());
    view.put("totalTaskNumber", job.taskCount());
    view.put("totalTaskRoleNumber", job.roleCount());
    view.put("jobPriority", priority(job));
    return view;
  }

  static String priority(Job job) {
    return job.priority().isEmpty() ? null : job.priority();
  }

  /** A job that waits for its next attempt has had all retries that OpenPAI would count. */
  static int retries(JobStatus status) {
    return Math.max(0, status.attempt() - 1);
  }

  static void putRetries(Map<String, Object> view, JobStatus status, Instant now) {
    int all = retries(status);
    int user = Math.min(all, status.retries().past().counted());
    int resource = Math.min(all - user, status.retries().past().conflicts());
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("user", user);
    details.put("platform", all - user - resource);
    details.put("resource", resource);
    view.put("retries", all);
    view.put("retryDetails", details);
    view.put(
        "retryDelayTime",
        status
            .retries()
            .notBefore(now)
            .map(time -> Math.max(0, Duration.between(now, time).toSeconds()))
            .orElse(null));
  }

  static void putTimes(Map<String, Object> view, Job job) {
    view.put("submissionTime", job.submitted().toEpochMilli());
    view.put("createdTime", job.submitted().toEpochMilli());
    view.put("launchedTime", millis(job.status().started()));
    view.put("completedTime", millis(job.status().ended()));
  }

  static Long millis(Optional<Instant> time) {
    return time.map(Instant::toEpochMilli).orElse(null);
  }
}
