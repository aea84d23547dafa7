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
import dev.trainyard.server.exec.ExecPlaces;
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
import dev.trainyard.server.node.Cordons;
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
import dev.trainyard.server.team.Teams;
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
  private final Foundation foundation;
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

  public JobFeature(Foundation foundation, Engine engine, Planner planner) {
    this.engine = engine;
    foundation.userFiles().reachBy(engine);
    this.data = foundation.directory().path();
    this.store = new JobStore(foundation.clock());
    this.deleted = new DeletedFiles(data, foundation.userFiles()::delete);
    Settings settings = foundation.settings();
    AttemptStore attempts = new AttemptStore();
    JobChanges changes = new JobChanges();
    LogStore logs = new LogStore(data, settings.value(Settings.LOG_LIMIT));
    this.access = new TaskAccess(foundation, engine, store, job -> owner(foundation, job));
    KeyRing keys = KeyRing.open(foundation.directory(), () -> JobSecrets.exist(foundation.db()));
    JobSecrets secrets = new JobSecrets(keys).checked(foundation.db());
    this.images = images(foundation, engine, secrets, store);
    this.foundation = foundation;
    this.queue =
        new QueuePipeline(
            foundation.db(),
            store,
            attempts,
            changes,
            engine,
            planner,
            specs(foundation, logs, access, images),
            secrets,
            job -> owner(foundation, job),
            foundation.teams().limits()::quotas,
            new Cordons(foundation.db(), foundation.clock())::nodes,
            foundation.clock(),
            queueSettings(settings));
    this.jobs =
        new JobService(
            foundation.db(),
            store,
            attempts,
            queue,
            secrets,
            changes,
            text -> parse(foundation, engine, text),
            admission(foundation.teams()),
            JobNotices.of(engine),
            JobFilesDirectory.deletion(data, deleted::delete)
                .andThen(job -> deleted.delete(logs.directory(job))),
            foundation.clock());
    this.feed = new EventFeed(foundation.db(), events);
    changes.subscribeToAll(feed::happened);
    this.eventRoutes = eventRoutes(foundation, events, feed, jobs);
    this.tail = new LogTail(logs, changes, jobs::isOver);
    this.jobRoutes = new JobRoutes(jobs);
    this.runRoutes = new RunRoutes(foundation.db(), jobs, attempts);
    this.execRoutes =
        new ExecRoutes(jobs, engine, new ExecPlaces(settings.value(Settings.EXEC_LIMIT)));
    this.logRoutes = new LogRoutes(jobs, logs, tail, new LogRemovals(foundation.db()));
    this.secretRoutes =
        new SecretRoutes(new KeyRotation(foundation.db(), keys, secrets, foundation.clock()));
    this.openPai = openPai(foundation, jobs, queue, logs);
    this.moreRoutes = moreRoutes(foundation, engine, queue, jobs);
    tellOfItself();
  }

  private static QueueSettings queueSettings(Settings settings) {
    return QueueSettings.DEFAULT
        .withStopGrace(settings.value(Settings.STOP_GRACE))
        .withPorts(
            settings.value(Settings.TASK_PORTS),
            settings.value(Settings.FIXED_PORTS),
            settings.value(Settings.JOB_PORTS));
  }

  private void tellOfItself() {
    foundation.metrics().add(new QueueMetrics(foundation.db(), store, queue));
    foundation.status().add("engine", engine::name);
    foundation.status().add("taskNetwork", this::weakestNetwork);
    foundation.status().health().prefer("engine", () -> engine.absence().map(Message::english));
  }

  /** Tasks that share the machine's network can listen on the server's port while it is down. */
  private Object weakestNetwork() {
    return engine.nodes().stream()
        .map(node -> node.isolation().network())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  private static OpenPai openPai(
      Foundation foundation, JobService jobs, QueuePipeline queue, LogStore logs) {
    return new OpenPai(
        new OpenPai.Services(
            foundation.db(),
            foundation.clock(),
            foundation.users(),
            foundation.tokens(),
            foundation.teams(),
            foundation.oidc(),
            jobs,
            queue,
            logs,
            foundation.status()::warnings,
            foundation.settings().value(Settings.OPENPAI_LITERAL_ERRORS),
            Version.CURRENT,
            foundation.passwordChanged(),
            foundation.userDeleted()));
  }

  private static Images images(
      Foundation foundation, Engine engine, JobSecrets secrets, JobStore store) {
    return new Images(
        engine,
        foundation.db(),
        foundation.directory().path(),
        foundation.settings(),
        new LoginSecrets(secrets),
        store,
        foundation.clock());
  }

  private static EventRoutes eventRoutes(
      Foundation foundation, EventStore events, EventFeed feed, JobService jobs) {
    return new EventRoutes(
        foundation.db(),
        events,
        feed,
        (caller, job) -> jobs.look(caller, job).id(),
        jobs::mayStillLook);
  }

  private static ParsedJob parse(Foundation foundation, Engine engine, String text) {
    foundation.disks().requireRoom();
    ParsedJob full = JobFiles.parse(text).refusing(JobFiles.MASKED);
    return engine.images().isPresent() ? full.refusing(JobFiles.IMAGE_NAME) : full;
  }

  private static TaskSpecs specs(
      Foundation foundation, LogStore logs, TaskAccess access, Images images) {
    return new TaskSpecs(
        foundation.directory().path(),
        logs,
        foundation.settings().value(Settings.LOG_LIMIT),
        foundation.teams().storages()::usedBy,
        access::variables,
        images.supply(),
        images.builds(),
        (owner, spec) -> foundation.teams().capabilities().missing(owner.id(), spec));
  }

  private static Admission admission(Teams teams) {
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
  private static Optional<User> owner(Foundation foundation, Job job) {
    return foundation.users().find(job.userName()).filter(user -> user.id().equals(job.userId()));
  }

  /** What is about teams and needs to know what runs, and what people do around their jobs. */
  private static Consumer<Routes> moreRoutes(
      Foundation foundation, Engine engine, QueuePipeline queue, JobService jobs) {
    Teams teams = foundation.teams();
    teams.onQuotaChange(queue::rulesChanged);
    foundation.users().onRightsChange(queue::rulesChanged);
    foundation.metrics().add(new TeamMetrics(teams, queue::uses));
    return routes -> {
      new VirtualClusterRoutes(teams, queue::uses, queue::nodes).addTo(routes);
      new StorageRoutes(teams.storages(), teams).addTo(routes);
      new ConsoleRoutes(foundation, engine, jobs, queue).addTo(routes);
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
        foundation.disks()::requireRoomNow,
        caller -> foundation.users().find(caller.userName()).orElseThrow().idRange());
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
