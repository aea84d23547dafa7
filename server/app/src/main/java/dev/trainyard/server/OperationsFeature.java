package dev.trainyard.server;

import dev.trainyard.model.JobState;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.audit.AuditPruning;
import dev.trainyard.server.audit.AuditRoutes;
import dev.trainyard.server.backup.Backup;
import dev.trainyard.server.backup.BackupRoutes;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Schema;
import dev.trainyard.server.event.EventPruning;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.log.LogRemovals;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.queue.JobFilesDirectory;
import dev.trainyard.server.retention.Retention;
import dev.trainyard.server.retention.RetentionPolicy;
import dev.trainyard.server.retention.RetentionRoutes;
import dev.trainyard.server.status.ClockWatch;
import dev.trainyard.server.status.SettingRoutes;
import dev.trainyard.server.status.StatusRegistry;
import dev.trainyard.server.status.StatusRoutes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What keeps a server going for years: backup, retention, and telling how it is. */
public final class OperationsFeature implements Feature {
  private static final Logger LOG = LoggerFactory.getLogger(OperationsFeature.class);
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration FIRST_SWEEP = Duration.ofMinutes(1);
  private static final Duration SWEEP = Duration.ofHours(1);

  private final CoreServices coreServices;
  private final Instant started;
  private final ClockWatch clock;
  private final Backup backup;
  private final Retention retention;
  private final EventPruning events;
  private final Audit audit;
  private final AuditPruning auditPruning;
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("watch-", 0).factory());
  // Of its own, as a long sweep must not keep the disks from being watched.
  private final ScheduledExecutorService sweeps =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("retention-", 0).factory());

  public OperationsFeature(CoreServices coreServices) {
    this.coreServices = coreServices;
    this.started = coreServices.clock().instant();
    this.clock = new ClockWatch(coreServices.clock(), System::nanoTime);
    this.backup =
        new Backup(
            coreServices.db(),
            coreServices.directory(),
            coreServices.userFiles(),
            Version.CURRENT,
            coreServices.clock());
    Path data = coreServices.directory().path();
    LogStore logs = new LogStore(data, coreServices.settings().value(Settings.LOG_LIMIT));
    this.retention =
        new Retention(
            coreServices.db(),
            logs,
            new LogRemovals(coreServices.db()),
            JobFilesDirectory.deletion(data, coreServices.userFiles()::delete)
                .andThen(logs::delete),
            RetentionPolicy.of(coreServices.settings()),
            coreServices.clock(),
            clock::isSettled);
    this.events =
        new EventPruning(
            coreServices.db(),
            new EventStore(),
            coreServices.settings().value(Settings.KEEP_EVENTS));
    this.audit = new Audit(coreServices.clock());
    this.auditPruning =
        new AuditPruning(
            coreServices.db(),
            coreServices.settings().value(Settings.KEEP_AUDIT),
            coreServices.clock(),
            clock::isSettled);
    coreServices.metrics().add(coreServices.disks());
    coreServices.metrics().add(clock);
    coreServices.metrics().add(retention);
    describe(coreServices.status());
  }

  private void describe(StatusRegistry board) {
    board.add("version", () -> Version.CURRENT);
    board.add("started", () -> started);
    board.add("pid", () -> ProcessHandle.current().pid());
    board.add("data", () -> coreServices.directory().path().toString());
    board.add("database", this::database);
    board.add("jobs", this::jobs);
    board.add("disks", coreServices.disks()::disks);
    board.addWarnings(coreServices.disks()::warnings);
    board.addWarnings(clock::warnings);
  }

  private Object database() {
    Map<String, Object> view = new LinkedHashMap<>();
    boolean postgres = coreServices.settings().value(Settings.DB).startsWith("jdbc:postgresql:");
    view.put("kind", postgres ? "postgresql" : "sqlite");
    view.put("schema", coreServices.db().read(handle -> Schema.version(handle.getConnection())));
    view.put("waitingWrites", coreServices.db().waitingWrites());
    return view;
  }

  private Object jobs() {
    Map<JobState, Long> counts = coreServices.db().read(new JobStore()::countUnfinished);
    Map<String, Long> view = new LinkedHashMap<>();
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        view.put(state.name(), counts.getOrDefault(state, 0L));
      }
    }
    return view;
  }

  @Override
  public void addTo(Routes routes) {
    new BackupRoutes(backup, actor -> record(actor, "backup.read", "backup")).addTo(routes);
    new RetentionRoutes(retention, actor -> record(actor, "cleanup.run", "cleanup")).addTo(routes);
    new AuditRoutes(coreServices.db()).addTo(routes);
    new SettingRoutes(coreServices.settings()).addTo(routes);
    new StatusRoutes(coreServices.status()).addTo(routes);
  }

  private void record(Actor actor, String action, String target) {
    coreServices
        .db()
        .write(
            handle -> {
              audit.record(handle, actor, action, target, Map.of(), Map.of());
              return null;
            });
  }

  // What is thrown is logged where it happens, and nobody waits for the end.
  @SuppressWarnings("FutureReturnValueIgnored")
  @Override
  public void start() {
    newestJob().ifPresent(clock::compareWith);
    looks.execute(quietly(coreServices.db()::reserveSpace));
    looks.scheduleAtFixedRate(
        quietly(
            () -> {
              coreServices.disks().check();
              coreServices.db().reserveSpace();
              clock.check();
            }),
        LOOK.toSeconds(),
        LOOK.toSeconds(),
        TimeUnit.SECONDS);
    sweeps.scheduleWithFixedDelay(
        quietly(retention::sweep), FIRST_SWEEP.toSeconds(), SWEEP.toSeconds(), TimeUnit.SECONDS);
    sweeps.scheduleWithFixedDelay(
        quietly(events::sweep), FIRST_SWEEP.toSeconds(), SWEEP.toSeconds(), TimeUnit.SECONDS);
    sweeps.scheduleWithFixedDelay(
        quietly(auditPruning::sweep), FIRST_SWEEP.toSeconds(), SWEEP.toSeconds(), TimeUnit.SECONDS);
  }

  private Optional<Instant> newestJob() {
    return coreServices
        .db()
        .read(
            handle ->
                handle
                    .createQuery("select submitted from job order by id desc limit 1")
                    .mapTo(Long.class)
                    .findOne()
                    .map(Instant::ofEpochMilli));
  }

  /** An error must not be the end of watching. */
  private static Runnable quietly(Runnable work) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException e) {
        LOG.error("looking after the server failed; it is tried again", e);
      }
    };
  }

  @Override
  public void close() {
    retention.close();
    looks.shutdownNow();
    sweeps.shutdown();
    try {
      if (!sweeps.awaitTermination(10, TimeUnit.SECONDS)) {
        sweeps.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
