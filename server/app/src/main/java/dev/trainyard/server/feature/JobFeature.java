package dev.trainyard.server.feature;

import dev.trainyard.engine.Engine;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.Planner;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.Feature;
import dev.trainyard.server.Version;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.event.EventFeed;
import dev.trainyard.server.event.EventRoutes;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.exec.ExecLimiter;
import dev.trainyard.server.exec.ExecRoutes;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.ExitRoutes;
import dev.trainyard.server.job.JobRoutes;
import dev.trainyard.server.job.RunRoutes;
import dev.trainyard.server.job.SchemaRoutes;
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogRoutes;
import dev.trainyard.server.log.LogTail;
import dev.trainyard.server.openpai.OpenPai;
import dev.trainyard.server.queue.QueueMetrics;
import dev.trainyard.server.secret.KeyRotation;
import dev.trainyard.server.secret.SecretRoutes;
import dev.trainyard.server.storage.UserDirectories;
import dev.trainyard.server.team.TeamMetrics;
import dev.trainyard.server.user.UnfinishedJobs;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The feature for jobs with their queue, logs, images and nodes. Owns the engine and closes it. */
public final class JobFeature implements Feature {
  private final CoreServices core;
  private final Engine engine;
  private final JobServices services;
  private final UserDirectories directories;
  private final EventStore events = new EventStore();
  private final EventFeed eventFeed;
  private final LogTail logTail;

  public JobFeature(CoreServices core, Engine engine, Planner planner) {
    this.core = core;
    this.engine = engine;
    core.userFiles().setEngine(engine);
    this.services = new JobServices(core, engine, planner);
    this.directories = new UserDirectories(core.directory().path());
    this.eventFeed = new EventFeed(core.db(), events);
    services.changes.subscribeToAll(eventFeed::eventsWritten);
    this.logTail = new LogTail(services.logs, services.changes, services.jobs::isFinished);
    core.teams().onQuotaChange(services.queue::constraintsChanged);
    core.users().onRightsChange(services.queue::constraintsChanged);
    registerStatus();
  }

  private void registerStatus() {
    core.metrics().add(new QueueMetrics(core.db(), services.store, services.queue));
    core.metrics().add(new TeamMetrics(core.teams(), services.queue::uses));
    core.status().add("engine", engine::name);
    core.status().add("taskNetwork", this::weakestNetwork);
    core.status().health().prefer("engine", () -> engine.outage().map(Message::english));
  }

  /**
   * Returns the weakest network isolation of all nodes. Tasks that share the host's network can
   * listen on the server's port while the server is down.
   */
  private Object weakestNetwork() {
    return engine.nodes().stream()
        .map(node -> node.isolation().network())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  @Override
  public void addTo(Routes routes) {
    new JobRoutes(services.jobs).addTo(routes);
    new RunRoutes(core.db(), services.jobs, services.attempts).addTo(routes);
    new SchemaRoutes().addTo(routes);
    new ExitRoutes().addTo(routes);
    new LogRoutes(services.jobs, services.logs, logTail, new LogRemovalStore(core.db()))
        .addTo(routes);
    ExecLimiter execLimiter = new ExecLimiter(core.settings().value(Settings.EXEC_LIMIT));
    new ExecRoutes(services.jobs, engine, execLimiter).addTo(routes);
    new SecretRoutes(new KeyRotation(core.db(), services.keys, services.secrets, core.clock()))
        .addTo(routes);
    new EventRoutes(
            core.db(),
            events,
            eventFeed,
            (caller, job) -> services.jobs.loadVisible(caller, job).id(),
            services.jobs::mayStillView)
        .addTo(routes);
    new OpenPai(openPaiServices()).addTo(routes);
    services.images.addTo(
        routes,
        services.jobs,
        core.disks()::requireSpaceNow,
        caller -> core.users().find(caller.userName()).orElseThrow().idRange());
    new ManagementRoutes(core, engine, services.jobs, services.queue).addTo(routes);
  }

  private OpenPai.Services openPaiServices() {
    return new OpenPai.Services(
        core.db(),
        core.clock(),
        core.users(),
        core.tokens(),
        core.teams(),
        core.oidc(),
        services.jobs,
        services.queue,
        services.logs,
        core.status()::warnings,
        core.settings().value(Settings.OPENPAI_LITERAL_ERRORS),
        Version.CURRENT,
        core.passwordChanged());
  }

  @Override
  public List<Message> warnings() {
    List<Message> warnings = new ArrayList<>(engine.warnings());
    warnings.addAll(IsolationWarnings.of(engine.nodes(), engine.missingSandbox()));
    return warnings;
  }

  @Override
  public List<String> addresses() {
    return services.taskAccess.addresses();
  }

  @Override
  public boolean releasePort(int port) {
    return engine.releasePort(port);
  }

  @Override
  public void listening(URI url) {
    services.taskAccess.listening(url);
  }

  @Override
  public void start() {
    directories.createDatasets();
    services.deletedFiles.start();
    eventFeed.start();
    services.queue.start();
    services.images.start();
  }

  @Override
  public UnfinishedJobs unfinishedJobs() {
    return services.store::countUnfinished;
  }

  @Override
  public void close() {
    services.deletedFiles.close();
    services.images.close();
    eventFeed.close();
    logTail.close();
    services.queue.close();
    engine.close();
  }
}
