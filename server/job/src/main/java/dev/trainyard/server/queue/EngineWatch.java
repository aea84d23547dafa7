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
 * During that time no job is placed and no attempt fails because of it: attempts that were being
 * launched wait until the engine is available again. The engine is queried only after a failure,
 * and then repeatedly until it is available. Thread-safe.
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

  /** Queries, after an operation failed, whether the engine is unavailable. */
  boolean checkOutage() {
    Optional<Message> currentOutage = engine.outage();
    if (currentOutage.isPresent()) {
      beginOutage(currentOutage.get());
    }
    return currentOutage.isPresent();
  }

  /**
   * Like {@link #checkOutage}; if the engine is unavailable, an attempt of this job is registered
   * to wait for it.
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

  /** Unregisters a job. Returns whether an attempt of it was waiting for the engine. */
  boolean cancelAwait(JobId job) {
    return waitingJobs.remove(job);
  }

  private synchronized void beginOutage(Message why) {
    boolean isNew = outage.isEmpty();
    outage = Optional.of(why);
    if (isNew) {
      LOG.warn("the engine is unavailable; jobs wait until it is back: {}", why.english());
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
   * Replaces the wait reasons of jobs that could otherwise run with the engine's unavailability.
   */
  Map<JobId, Message> addTo(Map<JobId, Message> reasons, Collection<JobId> jobs) {
    Optional<Message> why = outage;
    if (why.isPresent()) {
      reasons.replaceAll(
          (_, reason) -> reason.code().startsWith(NEVER_PREFIX) ? reason : why.get());
      jobs.stream().filter(waitingJobs::contains).forEach(job -> reasons.put(job, why.get()));
    }
    return reasons;
  }
}
