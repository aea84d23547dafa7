package dev.trainyard.server.job;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.BodyLimit;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.work.Downloads;
import dev.trainyard.server.work.WorkPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** {@code /api/v3/jobs}, without the logs. */
public final class JobRoutes {
  /**
   * Limit of the request body; a character has up to four bytes. The endpoint itself reports a
   * larger body as an invalid job file.
   */
  public static final BodyLimit BODY_LIMIT =
      BodyLimit.checkedByEndpoint(new DataSize(4L * JobFiles.MAX_LENGTH));

  /**
   * Maximum number of sorted CSV lists that one user may read at a time, because every list
   * requires sorting all jobs.
   */
  private static final int MAX_EXPORTS = 2;

  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_PAGE_SIZE = 500;
  private static final int MAX_GRACE_SECONDS = 7 * 24 * 3600;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]*");

  private final JobService service;
  private final Downloads exports = new Downloads(MAX_EXPORTS);

  public JobRoutes(JobService service) {
    this.service = service;
  }

  public void addTo(Routes routes) {
    new JobBatchRoutes(service).addTo(routes);
    routes.add("POST", "/api/v3/jobs", Access.JOBS, BODY_LIMIT, this::submit);
    routes.add("POST", "/api/v3/jobs/check", Access.JOBS, BODY_LIMIT, this::check);
    routes.add("GET", "/api/v3/jobs", Access.USER, this::list);
    routes.add("GET", "/api/v3/jobs/:job", Access.USER, this::show);
    routes.add("GET", "/api/v3/jobs/:job/config", Access.USER, this::config);
    routes.add("GET", "/api/v3/jobs/:job/tasks", Access.USER, this::tasks);
    routes.add("GET", "/api/v3/jobs/:job/attempts", Access.USER, this::attempts);
    routes.add("GET", "/api/v3/jobs/:job/attempts/:attempt", Access.USER, this::attempt);
    routes.add("POST", "/api/v3/jobs/:job/stop", Access.JOBS, this::stop);
    routes.add("POST", "/api/v3/jobs/:job/pause", Access.JOBS, this::pause);
    routes.add("POST", "/api/v3/jobs/:job/resume", Access.JOBS, this::resume);
    routes.add("DELETE", "/api/v3/jobs/:job", Access.JOBS, this::delete);
    routes.add("PUT", "/api/v3/jobs/:job/tags/:tag", Access.JOBS, this::tag);
    routes.add("DELETE", "/api/v3/jobs/:job/tags/:tag", Access.JOBS, this::untag);
  }

  private Object submit(Request request) {
    boolean addSuffix = request.query("suffix").map(JobRoutes::parseFlag).orElse(false);
    UnaryOperator<JobSpec> specConversion =
        spec -> request.query("virtualCluster").map(spec::withVirtualCluster).orElse(spec);
    JobService.Submission submission =
        service.submit(request.caller(), jobFile(request), addSuffix, specConversion, (_, _) -> {});
    return Reply.of(201, JobView.submission(submission));
  }

  private Object check(Request request) {
    return service.check().of(request.caller(), jobFile(request));
  }

  private static boolean parseFlag(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1", "" -> true;
      case "false", "0" -> false;
      default -> throw badRequest(List.of(problem("suffix", "error.not-a-flag", value)));
    };
  }

  /**
   * Reads the job file from the body. A body that is too large, or is not text, is reported as an
   * invalid job file.
   */
  public static String jobFile(Request request) {
    if (request.bodyTooLarge()) {
      long length =
          request
              .header("Content-Length")
              .map(Long::parseLong)
              .orElse(BODY_LIMIT.maxSize().bytes());
      throw JobCheck.invalidJob(List.of(Problem.at("", JobFiles.tooLong(length))));
    }
    try {
      return request.text();
    } catch (AppException e) {
      if (e.code() == ErrorCode.BAD_REQUEST) {
        throw JobCheck.invalidJob(List.of(Problem.at("", e.text())));
      }
      throw e;
    }
  }

  private Object list(Request request) {
    List<Problem> problems = new ArrayList<>();
    Set<JobState> states = states(request.words("state"), problems);
    int limit = limit(request, problems);
    Optional<String> after =
        request
            .query("after")
            .filter(reportInvalid(Ulid::isValid, "after", "error.not-a-page", problems));
    String prefix =
        request
            .query("name")
            .filter(reportInvalid(NAME.asMatchPredicate(), "name", "error.not-a-name", problems))
            .orElse("");
    boolean asCsv = isCsv(request, problems);
    if (!problems.isEmpty()) {
      throw badRequest(problems);
    }
    if (JobSearchParameters.arePresent(request)) {
      return search(request, states, limit, prefix);
    }
    JobFilter filter =
        new JobFilter(Optional.empty(), states, prefix, after.map(JobId::new), limit);
    if (asCsv) {
      return export(request).list(request.query("user"), filter);
    }
    return prefix.isEmpty()
        ? WorkPools.runForCount(limit, () -> page(request, filter))
        // Uses this pool, because many names may have to be counted and sorted.
        : WorkPools.SHORT_PARSING.run(() -> page(request, filter));
  }

  private Map<String, Object> page(Request request, JobFilter filter) {
    JobService.Page page = service.list(request.caller(), request.query("user"), filter);
    return JobView.page(page, service.explanations(page.jobs()));
  }

  private JobExport export(Request request) {
    return new JobExport(service, request.caller(), request::isStillSignedIn);
  }

  private static boolean isCsv(Request request, List<Problem> problems) {
    String format = request.query("format").orElse("json");
    if (!List.of("json", "csv").contains(format)) {
      problems.add(problem("format", "error.not-a-format", format));
    }
    return format.equals("csv");
  }

  private Object search(Request request, Set<JobState> states, int limit, String prefix) {
    List<Problem> problems = new ArrayList<>();
    if (!prefix.isEmpty() || request.query("after").isPresent()) {
      String unsupported = prefix.isEmpty() ? "after" : "name";
      problems.add(problem(unsupported, "error.not-with-search", unsupported));
    }
    JobSearch search = JobSearchParameters.read(request, states, limit, problems);
    if (!problems.isEmpty()) {
      throw badRequest(problems);
    }
    if (isCsv(request, problems)) {
      exports.begin(request.caller().userId());
      return export(request).search(search);
    }
    JobLists.FoundJobs<Job> found =
        WorkPools.SHORT_PARSING.run(() -> service.lists().search(request.caller(), search));
    return JobView.searchPage(found, service.explanations(found.jobs()));
  }

  private Object tag(Request request) {
    Job job = service.load(request.caller(), request.path("job"));
    String tag = request.path("tag");
    if (!JobTags.isTag(tag)) {
      throw badRequest(List.of(problem("tag", "error.not-a-tag", tag)));
    }
    if (!service.tags().add(request.caller(), job, tag)) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.too-many-tags", "most", JobTags.MAX_TAGS));
    }
    return Reply.noContent();
  }

  private Object untag(Request request) {
    Job job = service.load(request.caller(), request.path("job"));
    String tag = request.path("tag");
    if (!service.tags().remove(request.caller(), job, tag)) {
      throw new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-tag", "tag", tag));
    }
    return Reply.noContent();
  }

  /** Returns the states up to the first unknown one, for which a problem is added. */
  private static Set<JobState> states(List<String> words, List<Problem> problems) {
    Set<JobState> states = EnumSet.noneOf(JobState.class);
    for (String word : words) {
      try {
        states.add(JobState.valueOf(word.toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        problems.add(problem("state", "error.not-a-state", word));
        break;
      }
    }
    return states;
  }

  private static int limit(Request request, List<Problem> problems) {
    return request
        .query("limit")
        .map(text -> number("limit", text, new Range(1, MAX_PAGE_SIZE), problems))
        .orElse(DEFAULT_LIMIT);
  }

  private record Range(int from, int to) {}

  /** Parses a number. If the text is invalid, adds a problem and returns the lower bound. */
  private static int number(String name, String text, Range range, List<Problem> problems) {
    try {
      int number = Integer.parseInt(text);
      if (number >= range.from() && number <= range.to()) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    Message problem = Message.of("error.not-in-range", "value", text).with("from", range.from());
    problems.add(Problem.at(name, problem.with("to", range.to())));
    return range.from();
  }

  private static Predicate<String> reportInvalid(
      Predicate<String> valid, String parameter, String code, List<Problem> problems) {
    return text -> {
      if (!valid.test(text)) {
        problems.add(problem(parameter, code, text));
      }
      return valid.test(text);
    };
  }

  private static Problem problem(String parameter, String code, String value) {
    return Problem.at(parameter, Message.of(code, "value", value));
  }

  private static AppException badRequest(List<Problem> problems) {
    return new AppException(ErrorCode.BAD_REQUEST, Message.of("error.bad-query"), problems);
  }

  private Object show(Request request) {
    return view(service.loadVisible(request.caller(), request.path("job")));
  }

  private Map<String, Object> view(Job job) {
    Map<String, Object> view =
        JobView.job(job, service.explanations(List.of(job)).getFirst(), service.details(job));
    view.put("tags", service.tags().of(job));
    view.put("images", service.images(job));
    return view;
  }

  /**
   * Returns the job file as plain text, because it contains user-supplied content that a browser
   * must not execute.
   */
  private Object config(Request request) {
    Job job = service.loadVisible(request.caller(), request.path("job"));
    service.foreignAudit().recordConfigRead(request.caller(), job);
    String raw = service.config(job).raw();
    boolean hasAllRights = JobService.mayUse(request.caller(), job);
    String shownText =
        WorkPools.runForText(
            raw, () -> hasAllRights ? JobFiles.textForOwner(raw) : JobFiles.textForReaders(raw));
    return Reply.of(200, shownText)
        .with("Content-Type", "text/plain; charset=utf-8")
        .with("X-Content-Type-Options", "nosniff");
  }

  private Object stop(Request request) {
    Job job = service.load(request.caller(), request.path("job"));
    Optional<Duration> grace = request.query("graceSeconds").map(JobRoutes::grace);
    return Reply.of(202, view(service.stop(request.caller(), job, grace)));
  }

  private static Duration grace(String text) {
    List<Problem> problems = new ArrayList<>();
    int seconds = number("graceSeconds", text, new Range(0, MAX_GRACE_SECONDS), problems);
    if (!problems.isEmpty()) {
      throw badRequest(problems);
    }
    return Duration.ofSeconds(seconds);
  }

  private Object pause(Request request) {
    Job job = service.load(request.caller(), request.path("job"));
    return Reply.of(202, view(service.pause(request.caller(), job)));
  }

  private Object resume(Request request) {
    Job job = service.load(request.caller(), request.path("job"));
    return Reply.of(202, view(service.resume(request.caller(), job)));
  }

  private Object attempts(Request request) {
    List<Problem> problems = new ArrayList<>();
    int limit = limit(request, problems);
    int below =
        request
            .query("after")
            .map(text -> number("after", text, new Range(1, Integer.MAX_VALUE), problems))
            .orElse(Integer.MAX_VALUE);
    if (!problems.isEmpty()) {
      throw badRequest(problems);
    }
    Job job = service.loadVisible(request.caller(), request.path("job"));
    List<Attempt> newestAttempts = service.attempts(job, below, limit + 1);
    boolean hasMore = newestAttempts.size() > limit;
    return JobView.attempts(hasMore ? newestAttempts.subList(0, limit) : newestAttempts, hasMore);
  }

  private Object tasks(Request request) {
    List<Problem> problems = new ArrayList<>();
    int limit = limit(request, problems);
    Range nonNegative = new Range(0, Integer.MAX_VALUE);
    int offset =
        request
            .query("offset")
            .map(text -> number("offset", text, nonNegative, problems))
            .orElse(0);
    Optional<Integer> attempt =
        request.query("attempt").map(text -> number("attempt", text, nonNegative, problems));
    if (!problems.isEmpty()) {
      throw badRequest(problems);
    }
    Job job = service.loadVisible(request.caller(), request.path("job"));
    int shownAttempt = attempt.orElse(job.status().attempt());
    return WorkPools.runForCount(
        job.taskCount(), () -> JobView.tasks(service.tasks(job, shownAttempt, offset, limit)));
  }

  private Object attempt(Request request) {
    Job job = service.loadVisible(request.caller(), request.path("job"));
    String text = request.path("attempt");
    List<Problem> problems = new ArrayList<>();
    int number = number("attempt", text, new Range(1, Integer.MAX_VALUE - 1), problems);
    if (!problems.isEmpty()) {
      throw new AppException(
          ErrorCode.NOT_FOUND, Message.of("error.no-such-attempt", "attempt", text));
    }
    return WorkPools.runForCount(
        job.taskCount(), () -> JobView.attempt(service.attempt(job, number)));
  }

  private Object delete(Request request) {
    service.delete(request.caller(), service.load(request.caller(), request.path("job")));
    return Reply.noContent();
  }
}
