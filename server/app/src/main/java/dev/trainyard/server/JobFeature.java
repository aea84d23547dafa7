package dev.trainyard.server;

import dev.trainyard.engine.Engine;
import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.jobfile.ParsedJob;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.Planner;
import dev.trainyard.server.config.DeletedFiles;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.event.EventFeed;
import dev.trainyard.server.event.EventRoutes;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.exec.ExecLimiter;
import dev.trainyard.server.exec.ExecRoutes;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.image.Images;
import dev.trainyard.server.job.Admission;
import dev.trainyard.server.job.AttemptStore;
import dev.trainyard.server.job.ExitRoutes;
import dev.trainyard.server.job.Job;
import dev.trainyard.server.job.JobChanges;
import dev.trainyard.server.job.JobRoutes;
import dev.trainyard.server.job.JobService;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.job.RunRoutes;
import dev.trainyard.server.job.SchemaRoutes;
import dev.trainyard.server.log.LogRemovals;
import dev.trainyard.server.log.LogRoutes;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.log.LogTail;
import dev.trainyard.server.node.CordonService;
import dev.trainyard.server.openpai.OpenPai;
import dev.trainyard.server.queue.JobFilesDirectory;
import dev.trainyard.server.queue.JobNotices;
import dev.trainyard.server.queue.QueueMetrics;
import dev.trainyard.server.queue.QueuePipeline;
import dev.trainyard.server.queue.QueueSettings;
import dev.trainyard.server.queue.StorageVolumes;
import dev.trainyard.server.queue.TaskSpecs;
import dev.trainyard.server.secret.JobSecrets;
import dev.trainyard.server.secret.KeyRing;
import dev.trainyard.server.secret.KeyRotation;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.SecretRoutes;
import dev.trainyard.server.team.CapabilityRoutes;
import dev.trainyard.server.team.StorageRoutes;
import dev.trainyard.server.team.TeamAdmission;
import dev.trainyard.server.team.TeamMetrics;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.team.VirtualClusterRoutes;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/** Jobs with their queue, logs and machines. Owns the engine. */
public final class JobFeature implements Feature {
  private final Engine engine;
  private final JobStore store;
  private final EventStore events = new EventStore();
  private final EventFeed feed;
  private final QueuePipeline queue;
  private final LogTail tail;
  private final Images images;
  private final CoreServices coreServices;
  private final JobService jobs;
  private final Path data;
  private final JobRoutes jobRoutes;
  private final RunRoutes runRoutes;
  private final LogRoutes logRoutes;
  private final ExecRoutes execRoutes;
  private final SecretRoutes secretRoutes;
  private final EventRoutes eventRoutes;
  private final OpenPai openPai;
  private final Consumer<Routes> moreRoutes;
  private final TaskAccess access;
  private final DeletedFiles deleted;

  public JobFeature(CoreServices coreServices, Engine engine, Planner planner) {
    this.engine = engine;
    coreServices.userFiles().reachBy(engine);
    this.data = coreServices.directory().path();
    this.store = new JobStore(coreServices.clock());
    this.deleted = new DeletedFiles(data, coreServices.userFiles()::delete);
    Settings settings = coreServices.settings();
    AttemptStore attempts = new AttemptStore();
    JobChanges changes = new JobChanges();
    LogStore logs = new LogStore(data, settings.value(Settings.LOG_LIMIT));
    this.access = new TaskAccess(coreServices, engine, store, job -> owner(coreServices, job));
    KeyRing keys =
        KeyRing.open(coreServices.directory(), () -> JobSecrets.exist(coreServices.db()));
    JobSecrets secrets = new JobSecrets(keys).checked(coreServices.db());
    this.images = images(coreServices, engine, secrets, store);
    this.coreServices = coreServices;
    this.queue =
        new QueuePipeline(
            coreServices.db(),
            store,
            attempts,
            changes,
            engine,
            planner,
            specs(coreServices, logs, access, images),
            secrets,
            job -> owner(coreServices, job),
            coreServices.teams().limits()::quotas,
            new CordonService(coreServices.db(), coreServices.clock())::nodes,
            coreServices.clock(),
            queueSettings(settings));
    this.jobs =
        new JobService(
            coreServices.db(),
            store,
            attempts,
            queue,
            secrets,
            changes,
            text -> parse(coreServices, engine, text),
            admission(coreServices.teams()),
            JobNotices.of(engine),
            JobFilesDirectory.deletion(data, deleted::delete)
                .andThen(job -> deleted.delete(logs.directory(job))),
            coreServices.clock());
    this.feed = new EventFeed(coreServices.db(), events);
    changes.subscribeToAll(feed::happened);
    this.eventRoutes = eventRoutes(coreServices, events, feed, jobs);
    this.tail = new LogTail(logs, changes, jobs::isFinished);
    this.jobRoutes = new JobRoutes(jobs);
    this.runRoutes = new RunRoutes(coreServices.db(), jobs, attempts);
    this.execRoutes =
        new ExecRoutes(jobs, engine, new ExecLimiter(settings.value(Settings.EXEC_LIMIT)));
    this.logRoutes = new LogRoutes(jobs, logs, tail, new LogRemovals(coreServices.db()));
    this.secretRoutes =
        new SecretRoutes(new KeyRotation(coreServices.db(), keys, secrets, coreServices.clock()));
    this.openPai = openPai(coreServices, jobs, queue, logs);
    this.moreRoutes = moreRoutes(coreServices, engine, queue, jobs);
    registerStatus();
  }

  private static QueueSettings queueSettings(Settings settings) {
    return QueueSettings.DEFAULT
        .withStopGrace(settings.value(Settings.STOP_GRACE))
        .withPorts(
            settings.value(Settings.TASK_PORTS),
            settings.value(Settings.FIXED_PORTS),
            settings.value(Settings.JOB_PORTS));
  }

  private void registerStatus() {
    coreServices.metrics().add(new QueueMetrics(coreServices.db(), store, queue));
    coreServices.status().add("engine", engine::name);
    coreServices.status().add("taskNetwork", this::weakestNetwork);
    coreServices.status().health().prefer("engine", () -> engine.absence().map(Message::english));
  }

  /** Tasks that share the machine's network can listen on the server's port while it is down. */
  private Object weakestNetwork() {
    return engine.nodes().stream()
        .map(node -> node.isolation().network())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static OpenPai openPai(
      CoreServices coreServices, JobService jobs, QueuePipeline queue, LogStore logs) {
    return new OpenPai(
        new OpenPai.Services(
            coreServices.db(),
            coreServices.clock(),
            coreServices.users(),
            coreServices.tokens(),
            coreServices.teams(),
            coreServices.oidc(),
            jobs,
            queue,
            logs,
            coreServices.status()::warnings,
            coreServices.settings().value(Settings.OPENPAI_LITERAL_ERRORS),
            Version.CURRENT,
            coreServices.passwordChanged(),
            coreServices.userDeleted()));
  }

  private static Images images(
      CoreServices coreServices, Engine engine, JobSecrets secrets, JobStore store) {
    return new Images(
        engine,
        coreServices.db(),
        coreServices.directory().path(),
        coreServices.settings(),
        new LoginSecrets(secrets),
        store,
        coreServices.clock());
  }

  private static EventRoutes eventRoutes(
      CoreServices coreServices, EventStore events, EventFeed feed, JobService jobs) {
    return new EventRoutes(
        coreServices.db(),
        events,
        feed,
        (caller, job) -> jobs.look(caller, job).id(),
        jobs::mayStillLook);
  }

  private static ParsedJob parse(CoreServices coreServices, Engine engine, String text) {
    coreServices.disks().requireRoom();
    ParsedJob full = JobFiles.parse(text).refusing(JobFiles.MASKED);
    return engine.images().isPresent() ? full.refusing(JobFiles.IMAGE_NAME) : full;
  }

  private static TaskSpecs specs(
      CoreServices coreServices, LogStore logs, TaskAccess access, Images images) {
    return new TaskSpecs(
        coreServices.directory().path(),
        logs,
        coreServices.settings().value(Settings.LOG_LIMIT),
        coreServices.teams().storages()::usedBy,
        access::variables,
        images.supply(),
        images.builds(),
        (owner, spec) -> coreServices.teams().capabilities().missing(owner.id(), spec));
  }

  private static Admission admission(TeamService teams) {
    TeamAdmission rules = new TeamAdmission(teams);
    return new Admission() {
      @Override
      public void check(Handle handle, Caller caller, JobSpec spec, long bytes) {
        rules.check(handle, caller, spec, bytes);
      }

      @Override
      public void stored(Handle handle, Caller caller, JobId job, JobSpec spec, long bytes) {
        rules.stored(handle, caller, job, spec, bytes);
      }
    };
  }

  /** Whoever has the name now may be somebody else. */
  private static Optional<User> owner(CoreServices coreServices, Job job) {
    return coreServices.users().find(job.userName()).filter(user -> user.id().equals(job.userId()));
  }

  /** What is about teams and needs to know what runs, and what people do around their jobs. */
  private static Consumer<Routes> moreRoutes(
      CoreServices coreServices, Engine engine, QueuePipeline queue, JobService jobs) {
    TeamService teams = coreServices.teams();
    teams.onQuotaChange(queue::rulesChanged);
    coreServices.users().onRightsChange(queue::rulesChanged);
    coreServices.metrics().add(new TeamMetrics(teams, queue::uses));
    return routes -> {
      new VirtualClusterRoutes(teams, queue::uses, queue::nodes).addTo(routes);
      new StorageRoutes(teams.storages(), teams).addTo(routes);
      new ConsoleRoutes(coreServices, engine, jobs, queue).addTo(routes);
      new CapabilityRoutes(teams).addTo(routes);
    };
  }

  @Override
  public void addTo(Routes routes) {
    jobRoutes.addTo(routes);
    runRoutes.addTo(routes);
    new SchemaRoutes().addTo(routes);
    new ExitRoutes().addTo(routes);
    logRoutes.addTo(routes);
    execRoutes.addTo(routes);
    secretRoutes.addTo(routes);
    eventRoutes.addTo(routes);
    openPai.addTo(routes);
    images.addTo(
        routes,
        jobs,
        coreServices.disks()::requireRoomNow,
        caller -> coreServices.users().find(caller.userName()).orElseThrow().idRange());
    moreRoutes.accept(routes);
  }

  @Override
  public List<String> addresses() {
    return access.addresses();
  }

  @Override
  public void listening(URI url) {
    access.listening(url);
  }

  @Override
  public void start() {
    try {
      // There from the first day, so that the administrator sees where data sets go.
      Files.createDirectories(
          data.resolve("gdata"),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    deleted.start();
    feed.start();
    queue.start();
    images.start();
  }

  /**
   * The home stays on disk, but under a name that no user can have: whoever gets the name later
   * starts with an empty one.
   */
  @Override
  public void userDeleted(User user) {
    Path home = data.resolve("home").resolve(user.name());
    if (Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
      try {
        Files.move(home, home.resolveSibling(user.name() + "~" + user.id()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    try {
      new StorageVolumes(data).userDeleted(user);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public UnfinishedJobs unfinishedJobs() {
    return store::countUnfinished;
  }

  @Override
  public void close() {
    deleted.close();
    images.close();
    feed.close();
    tail.close();
    queue.close();
    engine.close();
  }
}
