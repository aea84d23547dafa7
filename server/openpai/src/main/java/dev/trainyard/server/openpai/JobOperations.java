package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.job.Attempt;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobConfig;
import dev.trainyard.server.job.JobListItem;
import dev.trainyard.server.job.JobLists;
import dev.trainyard.server.job.JobRoutes;
import dev.trainyard.server.job.JobSearch;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobTags;
import dev.trainyard.server.job.PreviousRun;
import dev.trainyard.server.job.Task;
import dev.trainyard.server.job.TaskRuns;
import dev.trainyard.server.work.WorkPools;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** {@code /jobs}: submits, lists, shows, stops, starts and tags jobs. */
final class JobOperations implements OpenPaiRoutes.Source {
  /** Maximum number of attempts in a history; each attempt includes all its tasks. */
  private static final int MAX_ATTEMPTS = 100;

  private static final int MAX_HISTORY_TASKS = 10_000;

  private final JobService service;
  private final JobLists lists;
  private final JobTags tags;
  private final TaskRuns runs;
  private final JobAccess access;
  private final InstantSource clock;

  JobOperations(
      JobService service, JobLists lists, JobTags tags, TaskRuns runs, InstantSource clock) {
    this.runs = runs;
    this.service = service;
    this.lists = lists;
    this.tags = tags;
    this.access = new JobAccess(service);
    this.clock = clock;
  }

  @Override
  public List<Operation> operations() {
    String job = "/jobs/:job";
    String task = job + "/attempts/:attempt/taskRoles/:role/taskIndex/:index/attempts";
    return List.of(
        v2("POST", "/jobs", Guard.TOKEN, this::submit).withLimit(JobRoutes.BODY_LIMIT).ofJobs(),
        v2("GET", "/jobs", Guard.TOKEN, request -> list(request, request.words("username"))),
        v2("GET", job, Guard.TOKEN, this::show),
        v2("GET", job + "/attempts/:attempt", Guard.TOKEN, this::showAttempt),
        v2("GET", job + "/config", Guard.TOKEN, request -> config(request, access.job(request))),
        v2("PUT", job + "/executionType", Guard.TOKEN, this::execute).ofJobs(),
        v2("GET", job + "/ssh", Guard.TOKEN, this::ssh),
        v2("PUT", job + "/tag", Guard.TOKEN, this::tag).ofJobs(),
        v2("DELETE", job + "/tag", Guard.TOKEN, this::untag).ofJobs(),
        v2("GET", job + "/job-attempts/healthz", Guard.TOKEN, _ -> Reply.of(200, "ok")),
        v2("GET", job + "/job-attempts", Guard.TOKEN, this::history),
        v2("GET", job + "/job-attempts/:attempt", Guard.TOKEN, this::historyOf),
        v2("GET", task, Guard.TOKEN, this::task));
  }

  private Reply submit(PaiRequest request) {
    Job job = submit(request.caller(), JobRoutes.jobFile(request.request()));
    return done(
        202, "Update job %s for user %s successfully.".formatted(job.name(), job.userName()));
  }

  Job submit(Caller caller, String text) {
    try {
      return service.submit(caller, text, false).job();
    } catch (AppException e) {
      if (e.code() == ErrorCode.NAME_TAKEN) {
        String name = caller.userName() + "~" + e.text().params().get("name");
        throw new PaiException(409, "ConflictJobError", "Job " + name + " already exists.");
      }
      throw e;
    }
  }

  static Reply done(int status, String message) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("status", status);
    body.put("message", message);
    return Reply.of(status, body);
  }

  Object list(PaiRequest request, List<String> users) {
    return WorkPools.SHORT_PARSING.run(() -> search(request, users));
  }

  private Object search(PaiRequest request, List<String> users) {
    Optional<JobSearch> search = JobQueryString.read(request, users);
    JobLists.FoundJobs<JobListItem> result =
        search
            .map(query -> lists.listItems(request.caller(), query))
            .orElse(new JobLists.FoundJobs<>(List.of(), Map.of(), OptionalLong.of(0)));
    Instant now = clock.instant();
    List<JobSummary> items = new ArrayList<>(result.jobs().size());
    for (JobListItem job : result.jobs()) {
      items.add(new JobSummary(job, result.tags().getOrDefault(job.id(), List.of()), now));
    }
    if (!request.flag("withTotalCount")) {
      return items;
    }
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("totalCount", result.total().orElse(items.size()));
    page.put("data", items);
    return page;
  }

  private Object show(PaiRequest request) {
    return show(access.job(request));
  }

  Map<String, Object> show(Job job) {
    return view(job, () -> access.newest(job));
  }

  private Object showAttempt(PaiRequest request) {
    Job job = access.job(request);
    return view(job, () -> access.attempt(job, request.path("attempt")));
  }

  private Map<String, Object> view(Job job, Supplier<Optional<Attempt>> attempt) {
    return WorkPools.runForCount(job.taskCount(), () -> detail(job, attempt.get()).view());
  }

  private JobDetail detail(Job job, Optional<Attempt> attempt) {
    List<Task> tasks =
        attempt.map(shown -> service.allTasks(job, shown.number())).orElse(List.of());
    JobSpec spec = service.config(job).spec();
    // Only the tasks of a job without gang scheduling are retried individually.
    List<PreviousRun> previousRuns =
        spec.extras().gangAllocation()
            ? List.of()
            : attempt.map(shown -> runs.newest(job, shown.number())).orElse(List.of());
    return new JobDetail(
        job,
        spec,
        tags.of(job),
        attempt,
        tasks,
        previousRuns,
        service.reasons(List.of(job)).getFirst(),
        clock.instant());
  }

  Reply config(PaiRequest request, Job job) {
    service.foreignAudit().recordConfigRead(request.caller(), job);
    JobConfig config = service.config(job);
    return Reply.of(200, WorkPools.runForText(config.raw(), () -> ConfigText.of(config)))
        .with("Content-Type", "text/yaml; charset=utf-8");
  }

  private Reply execute(PaiRequest request) {
    return execute(request, access.job(request));
  }

  /**
   * Stops or starts a job. Stopping a finished job, and starting a job that is not paused, succeed
   * without effect.
   */
  Reply execute(PaiRequest request, Job job) {
    String value = text(request.body(), "value");
    switch (value) {
      case "STOP" -> {
        if (!job.state().isFinal()) {
          stop(request.caller(), job);
        }
      }
      case "START" -> {
        if (job.state() == JobState.PAUSED) {
          service.resume(request.caller(), job);
        }
      }
      default -> throw PaiException.invalid("\"value\" must be one of [START, STOP]");
    }
    return done(
        202, "Execute job %s for user %s successfully.".formatted(job.name(), job.userName()));
  }

  private void stop(Caller caller, Job job) {
    try {
      service.stop(caller, job);
    } catch (AppException e) {
      if (e.code() != ErrorCode.CONFLICT) {
        throw e;
      }
      // The job ended by itself just before the stop.
    }
  }

  void delete(Caller caller, Job job) {
    service.delete(caller, job);
  }

  static String text(JsonNode body, String name) {
    JsonNode value = body.get(name);
    if (value == null || !value.isTextual()) {
      throw PaiException.invalid("\"" + name + "\" must be a string");
    }
    return value.textValue();
  }

  /**
   * Returns the error for requests for SSH information. On this platform, tasks are accessed
   * through {@code exec}, and private keys are never returned.
   */
  static PaiException noSsh(Job job) {
    return new PaiException(
        404,
        "NoJobSshInfoError",
        "SSH info of job " + PaiNames.frameworkName(job) + " is not found.");
  }

  private Object ssh(PaiRequest request) {
    throw noSsh(access.job(request));
  }

  private Reply tag(PaiRequest request) {
    Job job = access.job(request);
    String tag = tagOf(request);
    if (!tags.add(request.caller(), job, tag)) {
      throw PaiException.invalid("A job can have " + JobTags.MAX_TAGS + " tags.");
    }
    return done(200, "Add tag %s for job %s successfully.".formatted(tag, name(job)));
  }

  private Reply untag(PaiRequest request) {
    Job job = access.job(request);
    String tag = tagOf(request);
    if (!tags.remove(request.caller(), job, tag)) {
      throw new PaiException(
          404, "NoTagError", "Tag %s of job %s is not found.".formatted(tag, name(job)));
    }
    return done(200, "Delete tag %s from job %s successfully.".formatted(tag, name(job)));
  }

  private static String name(Job job) {
    return PaiNames.frameworkName(job);
  }

  private static String tagOf(PaiRequest request) {
    String tag = text(request.body(), "value");
    if (!JobTags.isTag(tag)) {
      throw PaiException.invalid(
          "\"value\" is not a valid tag: it contains a comma or is too long");
    }
    return tag;
  }

  /**
   * Returns the maximum number of attempts in the history of a job. The attempts together have at
   * most {@link #MAX_HISTORY_TASKS} tasks, but the history has at least one attempt.
   */
  static int attemptsInHistory(int tasks) {
    return Math.clamp(MAX_HISTORY_TASKS / Math.max(1, tasks), 1, MAX_ATTEMPTS);
  }

  /** Lists the newest attempt first. */
  private Object history(PaiRequest request) {
    Job job = access.job(request);
    return WorkPools.PARSING.run(
        () ->
            service.attempts(job, Integer.MAX_VALUE, attemptsInHistory(job.taskCount())).stream()
                .map(attempt -> AttemptHistory.of(detail(job, Optional.of(attempt))))
                .toList());
  }

  private Object historyOf(PaiRequest request) {
    Job job = access.job(request);
    Optional<Attempt> attempt = access.attempt(job, request.path("attempt"));
    return WorkPools.runForCount(job.taskCount(), () -> AttemptHistory.of(detail(job, attempt)));
  }

  private Object task(PaiRequest request) {
    JobAccess.FoundTask foundTask = access.task(request);
    TaskView view = new TaskView(foundTask.job(), foundTask.attempt(), foundTask.key());
    return foundTask
        .task()
        .map(task -> view.history(task, runs.list(task.id())))
        .orElseGet(() -> view.unplacedHistory(foundTask.id()));
  }
}
