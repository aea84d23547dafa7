package dev.trainyard.server.queue;

import dev.trainyard.engine.Engine;
import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether the engine as a whole is unavailable, for example because its daemon is stopped.
 * While the engine is unavailable, no job is placed. Attempts that were being launched do not fail;
 * they wait until the engine is available again. The engine is queried only after a failure, and
 * then repeatedly until it is available. Thread-safe.
 */
final class EngineWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EngineWatch.class);
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
  private static final String NEVER_PREFIX = "wait.never-";

  private final Engine engine;
  private final Executor threads;
  private final Runnable onReturn;
  private final Set<JobId> waitingJobs = ConcurrentHashMap.newKeySet();
  private volatile Optional<Message> outage = Optional.empty();

  /**
   * @param onReturn called when the engine is available again
   */
  EngineWatch(Engine engine, Executor threads, Runnable onReturn) {
    this.engine = engine;
    this.threads = threads;
    this.onReturn = onReturn;
  }

  boolean isUnavailable() {
    return outage.isPresent();
  }

  /** Queries whether the engine is unavailable; called after an operation failed. */
  boolean checkOutage() {
    Optional<Message> currentOutage = engine.outage();
    if (currentOutage.isPresent()) {
      beginOutage(currentOutage.get());
    }
    return currentOutage.isPresent();
  }

  /**
   * Like {@link #checkOutage}. If the engine is unavailable, also registers that an attempt of this
   * job waits for the engine.
   */
  boolean awaitReturn(JobId job) {
    // Registered before the query, so that the engine's return is not missed.
    waitingJobs.add(job);
    boolean unavailable = checkOutage();
    if (!unavailable) {
      waitingJobs.remove(job);
    }
    return unavailable;
  }

  /** Unregisters a job. Returns whether an attempt of the job was waiting for the engine. */
  boolean cancelAwait(JobId job) {
    return waitingJobs.remove(job);
  }

  private synchronized void beginOutage(Message currentOutage) {
    boolean isNew = outage.isEmpty();
    outage = Optional.of(currentOutage);
    if (isNew) {
      LOG.warn(
          "the engine is unavailable; jobs wait until it is available again: {}",
          currentOutage.english());
      scheduleCheck();
    }
  }

  private void scheduleCheck() {
    CompletableFuture.delayedExecutor(CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS, threads)
        .execute(this::recheck);
  }

  private void recheck() {
    boolean available = false;
    try {
      available = engine.outage().isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("failed to query the availability of the engine; will retry", e);
    } finally {
      if (!available) {
        scheduleCheck();
      }
    }
    if (!available) {
      return;
    }
    synchronized (this) {
      outage = Optional.empty();
    }
    LOG.info("the engine is available again");
    onReturn.run();
  }

  /**
   * If the engine is unavailable, sets this as the wait reason of jobs, except for jobs that could
   * never run anyway.
   */
  Map<JobId, Message> addTo(Map<JobId, Message> reasons, Collection<JobId> jobs) {
    Optional<Message> currentOutage = outage;
    if (currentOutage.isPresent()) {
      reasons.replaceAll(
          (_, reason) -> reason.code().startsWith(NEVER_PREFIX) ? reason : currentOutage.get());
      jobs.stream()
          .filter(waitingJobs::contains)
          .forEach(job -> reasons.put(job, currentOutage.get()));
    }
    return reasons;
  }
}
