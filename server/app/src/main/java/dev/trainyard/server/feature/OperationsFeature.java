package dev.trainyard.server.feature;

import dev.trainyard.model.JobState;
import dev.trainyard.server.CoreServices;
import dev.trainyard.server.Feature;
import dev.trainyard.server.Version;
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
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.retention.Retention;
import dev.trainyard.server.retention.RetentionPolicy;
import dev.trainyard.server.retention.RetentionRoutes;
import dev.trainyard.server.status.ClockWatch;
import dev.trainyard.server.status.SettingRoutes;
import dev.trainyard.server.status.StatusRegistry;
import dev.trainyard.server.status.StatusRoutes;
import dev.trainyard.server.storage.StorageDirectories;
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

/** Long-term operation of a server: backup, retention and status. */
public final class OperationsFeature implements Feature {
  private static final Logger LOG = LoggerFactory.getLogger(OperationsFeature.class);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(10);
  private static final Duration FIRST_SWEEP_DELAY = Duration.ofMinutes(1);
  private static final Duration SWEEP_INTERVAL = Duration.ofHours(1);

  private final CoreServices core;
  private final JobStore jobs;
  private final Instant started;
  private final ClockWatch clockWatch;
  private final Backup backup;
  private final Retention retention;
  private final EventPruning eventPruning;
  private final Audit audit;
  private final AuditPruning auditPruning;
  private final ScheduledExecutorService checks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("watch-", 0).factory());
  // Uses a separate thread so that a long sweep does not delay the checks of the disks.
  private final ScheduledExecutorService sweeps =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("retention-", 0).factory());

  public OperationsFeature(CoreServices core) {
    this.core = core;
    this.jobs = new JobStore(core.clock());
    this.started = core.clock().instant();
    this.clockWatch = new ClockWatch(core.clock(), System::nanoTime);
    this.backup =
        new Backup(core.db(), core.directory(), core.userFiles(), Version.CURRENT, core.clock());
    Path data = core.directory().path();
    LogStore logs = new LogStore(data, core.settings().value(Settings.LOG_LIMIT));
    this.retention =
        new Retention(
            core.db(),
            logs,
            new LogRemovalStore(core.db()),
            new StorageDirectories(data)
                .jobDeletion(core.userFiles()::delete)
                .andThen(logs::delete),
            RetentionPolicy.of(core.settings()),
            core.clock(),
            clockWatch::isReliable);
    this.eventPruning =
        new EventPruning(core.db(), new EventStore(), core.settings().value(Settings.KEEP_EVENTS));
    this.audit = new Audit(core.clock());
    this.auditPruning =
        new AuditPruning(
            core.db(),
            core.settings().value(Settings.KEEP_AUDIT),
            core.clock(),
            clockWatch::isReliable);
    core.metrics().add(core.disks());
    core.metrics().add(clockWatch);
    core.metrics().add(retention);
    describe(core.status());
  }

  private void describe(StatusRegistry status) {
    status.add("version", () -> Version.CURRENT);
    status.add("started", () -> started);
    status.add("pid", () -> ProcessHandle.current().pid());
    status.add("data", () -> core.directory().path().toString());
    status.add("database", this::database);
    status.add("jobs", this::jobs);
    status.add("disks", core.disks()::disks);
    status.addWarnings(core.disks()::warnings);
    status.addWarnings(clockWatch::warnings);
  }

  private Object database() {
    Map<String, Object> view = new LinkedHashMap<>();
    boolean postgres = core.settings().value(Settings.DB).startsWith("jdbc:postgresql:");
    view.put("kind", postgres ? "postgresql" : "sqlite");
    view.put("schema", core.db().read(handle -> Schema.version(handle)));
    view.put("waitingWrites", core.db().pendingWrites());
    return view;
  }

  private Object jobs() {
    Map<JobState, Long> counts = core.db().read(jobs::countUnfinished);
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
    new AuditRoutes(core.db()).addTo(routes);
    new SettingRoutes(core.settings()).addTo(routes);
    new StatusRoutes(core.status()).addTo(routes);
  }

  private void record(Actor actor, String action, String target) {
    core.db()
        .write(
            handle -> {
              audit.record(handle, actor, action, target, Map.of(), Map.of());
              return null;
            });
  }

  // Ignores the futures because the tasks log their exceptions and are repeated until the server
  // stops.
  @SuppressWarnings("FutureReturnValueIgnored")
  @Override
  public void start() {
    newestJob().ifPresent(clockWatch::compareWith);
    checks.execute(logErrors(core.db()::reserveSpace));
    checks.scheduleAtFixedRate(
        logErrors(
            () -> {
              core.disks().check();
              core.db().reserveSpace();
              clockWatch.check();
            }),
        CHECK_INTERVAL.toSeconds(),
        CHECK_INTERVAL.toSeconds(),
        TimeUnit.SECONDS);
    sweeps.scheduleWithFixedDelay(
        logErrors(retention::sweep),
        FIRST_SWEEP_DELAY.toSeconds(),
        SWEEP_INTERVAL.toSeconds(),
        TimeUnit.SECONDS);
    sweeps.scheduleWithFixedDelay(
        logErrors(eventPruning::deleteSurplus),
        FIRST_SWEEP_DELAY.toSeconds(),
        SWEEP_INTERVAL.toSeconds(),
        TimeUnit.SECONDS);
    sweeps.scheduleWithFixedDelay(
        logErrors(auditPruning::deleteExpired),
        FIRST_SWEEP_DELAY.toSeconds(),
        SWEEP_INTERVAL.toSeconds(),
        TimeUnit.SECONDS);
  }

  private Optional<Instant> newestJob() {
    return core.db().read(jobs::newestSubmission);
  }

  /**
   * Returns a task that logs exceptions, because the executor does not repeat a task that throws an
   * exception.
   */
  private static Runnable logErrors(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        LOG.error("periodic check failed; will retry", e);
      }
    };
  }

  @Override
  public void close() {
    retention.close();
    checks.shutdownNow();
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
