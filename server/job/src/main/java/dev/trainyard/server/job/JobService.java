package dev.trainyard.server.job;

import dev.trainyard.jobfile.ParsedJob;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Isolation;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskState;
import dev.trainyard.model.Ulid;
import dev.trainyard.scheduler.QueuedJob;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.audit.ForeignAccess;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.team.JobAdmission;
import dev.trainyard.server.work.WorkPools;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/** Rules for submitting, viewing, stopping and deleting jobs. Thread-safe. */
public final class JobService {
  /** Number of attempts that are shown with a job. */
  private static final int SHOWN_ATTEMPTS = 20;

  private final Db db;
  private final JobStore jobs;
  private final ConfigReader reader;
  private final AttemptStore attempts;
  private final TaskPages pages;
  private final JobQueue queue;
  private final JobSecrets secrets;
  private final JobChanges changes;
  private final Function<String, ParsedJob> parser;
  private final JobAdmission admission;
  private final Function<JobSpec, List<Message>> notices;
  private final Consumer<JobId> deleteFiles;
  private final InstantSource clock;
  private final Ulid ids;
  private final JobNames names;
  private final JobFinder finder;
  private final JobControl control;
  private final Audit audit;
  private final ForeignJobAudit foreignAudit;
  private final JobTags tags;

  /**
   * @param parser parses a job file
   * @param admission decides which jobs a user may submit
   * @param notices returns notices about the features of a job that the engine does not support
   * @param deleteFiles deletes logs and saved output of a finished job
   */
  public JobService(
      Db db,
      JobStore jobs,
      AttemptStore attempts,
      JobQueue queue,
      JobSecrets secrets,
      JobChanges changes,
      Function<String, ParsedJob> parser,
      JobAdmission admission,
      Function<JobSpec, List<Message>> notices,
      Consumer<JobId> deleteFiles,
      InstantSource clock) {
    this.db = db;
    this.jobs = jobs;
    this.reader = new ConfigReader(db, jobs);
    this.attempts = attempts;
    this.pages = new TaskPages(attempts);
    this.queue = queue;
    this.secrets = secrets;
    this.changes = changes;
    this.parser = parser;
    this.admission = admission;
    this.notices = notices;
    this.deleteFiles = deleteFiles;
    this.clock = clock;
    this.ids = new Ulid(clock);
    this.names = new JobNames(jobs);
    this.finder = new JobFinder(jobs);
    this.audit = new Audit(clock);
    this.foreignAudit = new ForeignJobAudit(new ForeignAccess(db, clock));
    this.tags = new JobTags(db, clock);
    this.control = new JobControl(db, jobs, attempts, queue, changes, clock);
  }

  /**
   * A job that was accepted.
   *
   * @param neverFits the reason why the job can never run on these nodes; empty if it can run
   */
  public record Submission(Job job, List<Problem> warnings, Optional<Message> neverFits) {}

  /**
   * Stores a submitted job; the job is committed when this method returns.
   *
   * @param addSuffix whether to append a number to a taken name instead of rejecting the job
   */
  public Submission submit(Caller caller, String text, boolean addSuffix) {
    return submit(caller, text, addSuffix, UnaryOperator.identity(), (_, _) -> {});
  }

  /** Stores data of a job that the job file does not contain. */
  public interface Companion {
    /** Called within the transaction that stores the job. */
    void store(Handle handle, JobId job);
  }

  /**
   * @param specConversion converts the spec of the file to the spec to store
   */
  public Submission submit(
      Caller caller,
      String text,
      boolean addSuffix,
      UnaryOperator<JobSpec> specConversion,
      Companion companion) {
    return WorkPools.runForText(
        text, () -> store(caller, text, addSuffix, specConversion, companion));
  }

  private Submission store(
      Caller caller,
      String text,
      boolean addSuffix,
      UnaryOperator<JobSpec> specConversion,
      Companion companion) {
    ParsedJob parsed = parser.apply(text);
    if (!parsed.problems().isEmpty() || parsed.spec().isEmpty()) {
      throw JobCheck.invalidJob(parsed.problems());
    }
    JobSpec spec = specConversion.apply(parsed.spec().get());
    Optional<Message> rejection = queue.rejection(caller.userName(), spec);
    if (rejection.isPresent()) {
      throw new AppException(ErrorCode.FORBIDDEN, rejection.get());
    }
    List<Problem> warnings = parsed.warnings();
    long bytes = JobConfig.sizeInBytes(parsed.text(), spec);
    JobId id = new JobId(ids.next());
    Supplier<Job> storeJob =
        () ->
            db.write(
                handle -> {
                  JobSpec placedSpec = JobCheck.place(handle, caller, spec, admission);
                  admission.check(handle, caller, placedSpec, bytes);
                  String name =
                      addSuffix
                          ? names.findFree(handle, caller.userId(), spec.name())
                          : spec.name();
                  JobSpec namedSpec = placedSpec.withName(name);
                  Job created =
                      Job.submitted(
                          id, caller.userId(), caller.userName(), namedSpec, clock.instant());
                  if (!jobs.insert(
                      handle, created, new JobConfig(parsed.text(), namedSpec, warnings))) {
                    throw new AppException(
                        ErrorCode.NAME_TAKEN, Message.of("error.job-name-taken", "name", name));
                  }
                  admission.onStored(handle, caller, id, namedSpec, bytes);
                  companion.store(handle, id);
                  secrets.insert(handle, caller.userId(), id, parsed.secrets());
                  return created;
                });
    Job job = parsed.secrets().isEmpty() ? storeJob.get() : secrets.withStableKey(storeJob);
    QueuedJob queued =
        QueuedJob.of(id, caller.userName(), spec.withVirtualCluster(job.virtualCluster()));
    queue.submitted(queued, job.status());
    changes.notifyListeners(id);
    return new Submission(job, warnings, queue.neverFits(queued));
  }

  /** Returns a checker of job files that stores nothing. */
  JobCheck check() {
    return new JobCheck(db, jobs, queue, parser, admission, ids);
  }

  /** Returns lists of jobs by arbitrary criteria. */
  public JobLists lists() {
    return new JobLists(db);
  }

  /** Returns the images that the job used when it last started. */
  List<ResolvedImage> images(Job job) {
    return db.read(handle -> ResolvedImageStore.of(handle, job.id()));
  }

  /** Returns the tags of jobs. */
  public JobTags tags() {
    return tags;
  }

  /** Returns the audit of administrators' access to other users' jobs. */
  public ForeignJobAudit foreignAudit() {
    return foreignAudit;
  }

  /**
   * Finds a job that the caller may modify, by ID, by {@code user~name} or, if the caller owns it,
   * by {@code name}.
   */
  public Job load(Caller caller, String reference) {
    return requireUse(caller, loadVisible(caller, reference));
  }

  static Job requireUse(Caller caller, Job job) {
    if (!mayUse(caller, job)) {
      throw new AppException(
          ErrorCode.FORBIDDEN, Message.of("error.job-of-another", "user", job.userName()));
    }
    return job;
  }

  /** Finds up to 500 jobs that the caller may view, by reference. */
  Map<String, Job> findAll(Caller caller, Collection<String> references) {
    return WorkPools.SHORT_PARSING.run(
        () -> db.read(handle -> finder.findAll(handle, caller, references)));
  }

  /**
   * Like {@link #load}, but also returns a job that the caller may only view, because a group
   * shares it.
   */
  public Job loadVisible(Caller caller, String reference) {
    return db.read(handle -> finder.find(handle, caller, reference))
        .orElseThrow(() -> notFound(reference));
  }

  /**
   * Returns whether a caller who is viewing a job may continue to view it; true if the job was
   * deleted, because no data is left to protect.
   */
  public boolean mayStillView(Caller caller, JobId id) {
    return db.read(
        handle ->
            jobs.find(handle, id).map(job -> JobFinder.mayView(handle, caller, job)).orElse(true));
  }

  /** Returns whether the caller has all rights to a job. */
  public static boolean mayUse(Caller caller, Job job) {
    return caller.admin() || job.userId().equals(caller.userId());
  }

  /** A page of jobs, newest first, and whether more jobs follow. */
  public record Page(List<Job> jobs, boolean more) {}

  /**
   * @param user name of an owner; empty for all owners. If the caller is not an administrator, only
   *     the caller's own jobs are returned
   */
  public Page list(Caller caller, Optional<String> user, JobFilter requestedFilter) {
    return db.read(
        handle -> {
          Optional<List<String>> owners = user.map(name -> jobs.ownersNamed(handle, name));
          if (!caller.admin()) {
            boolean includesCaller = owners.isEmpty() || owners.get().contains(caller.userId());
            owners = Optional.of(includesCaller ? List.of(caller.userId()) : List.of());
          }
          JobFilter filter =
              new JobFilter(
                  owners,
                  requestedFilter.states(),
                  requestedFilter.namePrefix(),
                  requestedFilter.after(),
                  requestedFilter.limit() + 1);
          List<Job> found = jobs.list(handle, filter);
          boolean hasMore = found.size() > requestedFilter.limit();
          return new Page(hasMore ? found.subList(0, requestedFilter.limit()) : found, hasMore);
        });
  }

  /**
   * Details that are shown only for a single job.
   *
   * @param attempts the newest attempts, newest first
   * @param isolation isolation of the node of the first task; empty if no task is placed
   */
  public record Details(
      List<Task> tasks,
      OptionalInt moreTasks,
      Map<String, Map<TaskState, Integer>> taskStates,
      List<Message> notices,
      List<Attempt> attempts,
      Optional<Isolation> isolation) {

    /** Returns the outcome of the newest attempt whose outcome is decided. */
    Optional<AttemptEnd> newestEnd() {
      return attempts.stream().flatMap(attempt -> attempt.end().stream()).findFirst();
    }
  }

  public Details details(Job job) {
    return reader.read(job, handle -> readDetails(handle, job));
  }

  private Details readDetails(Handle handle, Job job) {
    Optional<JobConfig> config = jobs.findConfig(handle, job.id());
    List<Message> messages = new ArrayList<>();
    config.ifPresent(
        found -> {
          messages.addAll(notices.apply(found.spec()));
          found.warnings().forEach(warning -> messages.add(warning.message()));
        });
    int attempt = job.status().attempt();
    TaskPages.Page page =
        pages.read(handle, job, roles(config), attempt, 0, TaskPages.DEFAULT_PAGE_SIZE);
    List<Task> tasks = page.tasks();
    return new Details(
        tasks,
        page.next(),
        pages.counts(handle, job, attempt, page),
        messages,
        attempts.listAttempts(handle, job.id(), Integer.MAX_VALUE, SHOWN_ATTEMPTS),
        tasks.stream().findFirst().flatMap(task -> IsolationView.of(queue.nodes(), task)));
  }

  private static List<RoleSpec> roles(Optional<JobConfig> config) {
    return config.map(found -> found.spec().roles()).orElse(List.of());
  }

  /** Returns all placed tasks of an attempt, in no particular order. */
  public List<Task> allTasks(Job job, int attempt) {
    return WorkPools.runForCount(
        job.taskCount(), () -> db.read(handle -> attempts.list(handle, job.id(), attempt)));
  }

  /** Returns a page of the tasks of an attempt, in the order of the job file. */
  TaskPages.Page tasks(Job job, int attempt, int offset, int limit) {
    return reader.read(
        job,
        handle ->
            pages.read(
                handle, job, roles(jobs.findConfig(handle, job.id())), attempt, offset, limit));
  }

  /** Returns the newest run of a task, or the given run if the task is not placed yet. */
  public TaskId newestRun(TaskId task) {
    return db.read(handle -> attempts.find(handle, task)).map(Task::id).orElse(task);
  }

  /**
   * Returns a task of the newest attempt; empty if the task does not exist or is not placed yet.
   */
  public Optional<Task> task(Job job, String role, int index) {
    return db.read(
        handle -> attempts.find(handle, new TaskId(job.id(), job.status().attempt(), role, index)));
  }

  /** Returns the newest run of a task in any attempt; empty if the task is not placed yet. */
  public Optional<Task> task(TaskId id) {
    return db.read(handle -> attempts.find(handle, id));
  }

  /** Returns the newest attempts whose number is below a number, newest first. */
  public List<Attempt> attempts(Job job, int below, int limit) {
    return db.read(handle -> attempts.listAttempts(handle, job.id(), below, limit));
  }

  /** An attempt with its tasks. */
  public record AttemptDetails(Attempt attempt, List<Task> tasks, OptionalInt moreTasks) {}

  public AttemptDetails attempt(Job job, int number) {
    return reader
        .read(
            job,
            handle ->
                attempts.listAttempts(handle, job.id(), number + 1, 1).stream()
                    .filter(found -> found.number() == number)
                    .findFirst()
                    .map(found -> details(handle, job, found)))
        .orElseThrow(
            () ->
                new AppException(
                    ErrorCode.NOT_FOUND, Message.of("error.no-such-attempt", "attempt", number)));
  }

  private AttemptDetails details(Handle handle, Job job, Attempt attempt) {
    List<RoleSpec> roles = roles(jobs.findConfig(handle, job.id()));
    TaskPages.Page page =
        pages.read(handle, job, roles, attempt.number(), 0, TaskPages.DEFAULT_PAGE_SIZE);
    return new AttemptDetails(attempt, page.tasks(), page.next());
  }

  public JobConfig config(Job job) {
    return reader
        .read(job, handle -> jobs.findConfig(handle, job.id()))
        .orElseThrow(() -> notFound(job));
  }

  /** Returns whether this run of a task has ended or will never start. */
  public boolean isFinished(TaskId id) {
    return db.read(
        handle ->
            attempts
                .find(handle, id)
                .filter(task -> task.id().retry() >= id.retry())
                .map(task -> task.state() == TaskState.ENDED || task.id().retry() > id.retry())
                .orElseGet(
                    () ->
                        jobs.find(handle, id.job())
                            .map(
                                job ->
                                    job.state().isFinal() || job.status().attempt() > id.attempt())
                            .orElse(true)));
  }

  /** Reads a job again; empty if the job was deleted. */
  public Optional<Job> refresh(JobId id) {
    return db.read(handle -> jobs.find(handle, id));
  }

  /**
   * Returns the reason for the state of each job: why the job waits or is being stopped, or how it
   * ended.
   */
  public List<Optional<Message>> reasons(List<Job> list) {
    return JobReasons.of(queue, list);
  }

  /**
   * Returns the reason for the state of each job, like {@link #reasons}, and the diagnosed cause of
   * each failure.
   */
  public List<JobExplanation> explanations(List<Job> list) {
    return JobReasons.explanations(db, attempts, queue, list);
  }

  /** See {@link JobControl#stop}. */
  public Job stop(Caller caller, Job knownJob) {
    return control.stop(caller, knownJob, Optional.empty());
  }

  /** See {@link JobControl#stop}. */
  public Job stop(Caller caller, Job knownJob, Optional<Duration> grace) {
    return control.stop(caller, knownJob, grace);
  }

  JobControl control() {
    return control;
  }

  /** See {@link JobControl#pause}. */
  public Job pause(Caller caller, Job knownJob) {
    return control.pause(caller, knownJob);
  }

  /** See {@link JobControl#resume}. */
  public Job resume(Caller caller, Job knownJob) {
    return control.resume(caller, knownJob);
  }

  /** Deletes a finished or paused job with its logs and saved output. */
  public void delete(Caller caller, Job knownJob) {
    Job job = knownJob.state() == JobState.PAUSED ? control.abandon(knownJob) : knownJob;
    if (!job.state().isFinal()) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.job-not-over", "name", job.name()));
    }
    // Deletes the files first: if the server crashes before it deletes the job, the deletion can be
    // repeated.
    deleteFiles.accept(job.id());
    Message reason = Message.of("event.deleted", "user", caller.userName());
    db.write(
        handle -> {
          if (jobs.delete(handle, job.id(), reason)) {
            String target = JobControl.auditTarget(job);
            Map<String, Object> before = JobControl.auditView(job);
            audit.record(handle, Actor.of(caller), "job.delete", target, before, Map.of());
          }
          return null;
        });
    changes.notifyListeners(job.id());
  }

  static AppException notFound(Job job) {
    return notFound(job.name());
  }

  static AppException notFound(String reference) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-job", "job", reference));
  }
}
