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
 * {@code POST /api/v3/jobs/batch}: applies one action to many jobs; a failure of one job does not
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

  private record Wanted(String action, List<String> jobs, String tag, Optional<Duration> grace) {}

  private static Wanted read(Request request) {
    Fields fields = new Fields(request.json());
    String action = fields.text("action");
    if (!action.isEmpty() && !ACTIONS.contains(action)) {
      String known = String.join(", ", ACTIONS);
      fields.problem(
          "action", Message.of("error.not-one-of", "value", action).with("known", known));
    }
    List<String> named = fields.optionalTexts("jobs", MAX_JOBS).orElse(List.of());
    if (named.isEmpty()) {
      fields.problem("jobs", Message.of("error.no-jobs-named", "most", MAX_JOBS));
    }
    String tag = fields.optionalText("tag").orElse("");
    boolean tags = action.equals("tag") || action.equals("untag");
    if (tags && !JobTags.isTag(tag)) {
      fields.problem("tag", Message.of("error.not-a-tag", "value", tag));
    }
    Optional<Duration> grace =
        fields.optionalNumber("graceSeconds", 0, MAX_GRACE_SECONDS).map(Duration::ofSeconds);
    fields.check();
    return new Wanted(action, List.copyOf(new LinkedHashSet<>(named)), tag, grace);
  }

  private Object batch(Request request) {
    Wanted wanted = read(request);
    Caller caller = request.caller();
    if (wanted.action().equals("stop")) {
      return Map.of("results", stop(caller, wanted));
    }
    List<Map<String, Object>> results = new ArrayList<>();
    if (wanted.action().equals("tag") || wanted.action().equals("untag")) {
      return Map.of("results", changeTags(caller, wanted));
    }
    for (String name : wanted.jobs()) {
      results.add(result(name, () -> act(caller, jobs.load(caller, name), wanted)));
    }
    return Map.of("results", results);
  }

  /** Stops all jobs together, because stopping thousands one by one would take minutes. */
  private List<Map<String, Object>> stop(Caller caller, Wanted wanted) {
    Map<String, AppException> refusals = new HashMap<>();
    Map<String, Job> found = load(caller, wanted, refusals);
    Map<JobId, JobControl.Stopped> stopped = new HashMap<>();
    jobs.control()
        .stopAll(caller, List.copyOf(new LinkedHashSet<>(found.values())), wanted.grace())
        .forEach(one -> stopped.put(one.job().id(), one));
    List<Map<String, Object>> results = new ArrayList<>();
    for (String name : wanted.jobs()) {
      results.add(
          result(
              name,
              () -> {
                if (refusals.containsKey(name)) {
                  throw refusals.get(name);
                }
                JobControl.Stopped one = stopped.get(found.get(name).id());
                if (one.refusal().isPresent()) {
                  throw one.refusal().get();
                }
                return Optional.of(one.job());
              }));
    }
    return results;
  }

  private Map<String, Job> load(Caller caller, Wanted wanted, Map<String, AppException> refusals) {
    Map<String, Job> found = new LinkedHashMap<>();
    for (String name : wanted.jobs()) {
      try {
        found.put(name, jobs.load(caller, name));
      } catch (AppException e) {
        refusals.put(name, e);
      }
    }
    return found;
  }

  /** Changes all jobs in one transaction, because a batch writes one audit record. */
  private List<Map<String, Object>> changeTags(Caller caller, Wanted wanted) {
    Map<String, AppException> missing = new HashMap<>();
    Map<String, Job> found = load(caller, wanted, missing);
    List<Job> all = List.copyOf(new LinkedHashSet<>(found.values()));
    Set<JobId> tagged =
        wanted.action().equals("tag")
            ? jobs.tags().addAll(caller, all, wanted.tag())
            : removed(caller, all, wanted.tag());
    List<Map<String, Object>> results = new ArrayList<>();
    for (String name : wanted.jobs()) {
      results.add(
          result(
              name,
              () -> {
                if (missing.containsKey(name)) {
                  throw missing.get(name);
                }
                Job job = found.get(name);
                if (!tagged.contains(job.id())) {
                  throw new AppException(
                      ErrorCode.CONFLICT,
                      Message.of("error.too-many-tags", "most", JobTags.MAX_TAGS));
                }
                return Optional.of(job);
              }));
    }
    return results;
  }

  /** Removes a tag. A job that did not have the tag counts as success. */
  private Set<JobId> removed(Caller caller, List<Job> all, String tag) {
    jobs.tags().removeAll(caller, all, tag);
    return all.stream().map(Job::id).collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, Object> result(String name, Supplier<Optional<Job>> act) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("job", name);
    try {
      Optional<Job> after = act.get();
      result.put("ok", true);
      result.put("state", after.map(Job::state).orElse(null));
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

  /** Returns empty if the job was deleted. */
  private Optional<Job> act(Caller caller, Job job, Wanted wanted) {
    return switch (wanted.action()) {
      case "pause" -> Optional.of(jobs.pause(caller, job));
      case "resume" -> Optional.of(jobs.resume(caller, job));
      default -> {
        jobs.delete(caller, job);
        yield Optional.empty();
      }
    };
  }
}
