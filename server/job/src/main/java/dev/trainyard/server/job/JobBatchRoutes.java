package dev.trainyard.server.job;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * {@code POST /api/v3/jobs/batch}: applies one action to many jobs. A failure for one job does not
 * affect the others.
 */
public final class JobBatchRoutes {
  private static final int MAX_JOBS = 500;
  private static final long MAX_GRACE_SECONDS = Duration.ofDays(7).toSeconds();
  private static final List<String> ACTIONS =
      List.of("stop", "pause", "resume", "delete", "tag", "untag");

  private final JobService jobs;

  public JobBatchRoutes(JobService jobs) {
    this.jobs = jobs;
  }

  public void addTo(Routes routes) {
    routes.add("POST", "/api/v3/jobs/batch", Access.JOBS, this::batch);
  }

  private record BatchRequest(
      String action, List<String> jobs, String tag, Optional<Duration> grace) {}

  private static BatchRequest read(Request request) {
    Fields fields = new Fields(request.json());
    String action = fields.text("action");
    if (!action.isEmpty() && !ACTIONS.contains(action)) {
      String knownActions = String.join(", ", ACTIONS);
      fields.addProblem(
          "action", Message.of("error.not-one-of", "value", action).with("known", knownActions));
    }
    List<String> jobNames = fields.optionalTexts("jobs", MAX_JOBS).orElse(List.of());
    if (jobNames.isEmpty()) {
      fields.addProblem("jobs", Message.of("error.no-jobs-named", "most", MAX_JOBS));
    }
    String tag = fields.optionalText("tag").orElse("");
    boolean changesTags = action.equals("tag") || action.equals("untag");
    if (changesTags && !JobTags.isTag(tag)) {
      fields.addProblem("tag", Message.of("error.not-a-tag", "value", tag));
    }
    Optional<Duration> grace =
        fields.optionalNumber("graceSeconds", 0, MAX_GRACE_SECONDS).map(Duration::ofSeconds);
    fields.check();
    return new BatchRequest(action, List.copyOf(new LinkedHashSet<>(jobNames)), tag, grace);
  }

  private Object batch(Request request) {
    BatchRequest batchRequest = read(request);
    Caller caller = request.caller();
    if (batchRequest.action().equals("stop")) {
      return Map.of("results", stop(caller, batchRequest));
    }
    if (batchRequest.action().equals("tag") || batchRequest.action().equals("untag")) {
      return Map.of("results", changeTags(caller, batchRequest));
    }
    NamedJobs named = NamedJobs.find(jobs, caller, batchRequest.jobs());
    List<Map<String, Object>> results = new ArrayList<>();
    for (String name : batchRequest.jobs()) {
      results.add(result(name, () -> perform(caller, named.load(name), batchRequest)));
    }
    return Map.of("results", results);
  }

  /** Stops all jobs together, because stopping hundreds of jobs one by one would take too long. */
  private List<Map<String, Object>> stop(Caller caller, BatchRequest batchRequest) {
    NamedJobs named = NamedJobs.find(jobs, caller, batchRequest.jobs());
    Map<JobId, JobControl.StopResult> resultsById = new HashMap<>();
    jobs.control()
        .stopAll(caller, named.loadable(), batchRequest.grace())
        .forEach(stopResult -> resultsById.put(stopResult.job().id(), stopResult));
    List<Map<String, Object>> results = new ArrayList<>();
    for (String name : batchRequest.jobs()) {
      results.add(
          result(
              name,
              () -> {
                JobControl.StopResult stopResult = resultsById.get(named.load(name).id());
                if (stopResult.rejection().isPresent()) {
                  throw stopResult.rejection().get();
                }
                return Optional.of(stopResult.job());
              }));
    }
    return results;
  }

  /** Changes the tags of all jobs in one transaction, because a batch writes one audit record. */
  private List<Map<String, Object>> changeTags(Caller caller, BatchRequest batchRequest) {
    NamedJobs named = NamedJobs.find(jobs, caller, batchRequest.jobs());
    List<Job> distinctJobs = named.loadable();
    Set<JobId> taggedIds =
        batchRequest.action().equals("tag")
            ? jobs.tags().addAll(caller, distinctJobs, batchRequest.tag())
            : removeTag(caller, distinctJobs, batchRequest.tag());
    List<Map<String, Object>> results = new ArrayList<>();
    for (String name : batchRequest.jobs()) {
      results.add(
          result(
              name,
              () -> {
                Job job = named.load(name);
                if (!taggedIds.contains(job.id())) {
                  throw new AppException(
                      ErrorCode.CONFLICT,
                      Message.of("error.too-many-tags", "most", JobTags.MAX_TAGS));
                }
                return Optional.of(job);
              }));
    }
    return results;
  }

  /**
   * Removes a tag from these jobs; returns the IDs of all these jobs, because the removal also
   * succeeds for a job without the tag.
   */
  private Set<JobId> removeTag(Caller caller, List<Job> distinctJobs, String tag) {
    jobs.tags().removeAll(caller, distinctJobs, tag);
    return distinctJobs.stream().map(Job::id).collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, Object> result(String name, Supplier<Optional<Job>> action) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("job", name);
    try {
      Optional<Job> changedJob = action.get();
      result.put("ok", true);
      result.put("state", changedJob.map(Job::state).orElse(null));
    } catch (AppException e) {
      result.put("ok", false);
      Map<String, Object> error = new LinkedHashMap<>();
      error.put("code", e.code());
      error.put("message", e.text().english());
      error.put("messageCode", e.text().code());
      error.put("params", e.text().params());
      result.put("error", error);
    }
    return result;
  }

  /**
   * Performs the action on one job; returns the changed job, or empty if the action deleted the
   * job.
   */
  private Optional<Job> perform(Caller caller, Job job, BatchRequest batchRequest) {
    return switch (batchRequest.action()) {
      case "pause" -> Optional.of(jobs.pause(caller, job));
      case "resume" -> Optional.of(jobs.resume(caller, job));
      default -> {
        jobs.delete(caller, job);
        yield Optional.empty();
      }
    };
  }
}
