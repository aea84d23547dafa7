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
 * Knows whether the engine is absent as a whole, for example because its daemon is stopped. While
 * it is, no job is placed and no attempt fails because of it: attempts that were being launched
 * wait for the engine's return. The engine is asked only after a failure, and then repeatedly until
 * it is back. Thread-safe.
 */
final class EngineWatch {
  private static final Logger LOG = LoggerFactory.getLogger(EngineWatch.class);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final String NEVER = "wait.never-";

  private final Engine engine;
  private final Executor threads;
  private final Runnable returned;
  private final Set<JobId> held = ConcurrentHashMap.newKeySet();
  private volatile Optional<Message> absence = Optional.empty();

  /**
   * @param returned called when the engine is back
   */
  EngineWatch(Engine engine, Executor threads, Runnable returned) {
    this.engine = engine;
    this.threads = threads;
    this.returned = returned;
  }

  boolean isAbsent() {
    return absence.isPresent();
  }

  /** Asks the engine, after it failed to do something, whether it is absent. */
  boolean ask() {
    Optional<Message> now = engine.absence();
    if (now.isPresent()) {
      begin(now.get());
    }
    return now.isPresent();
  }

  /** Like {@link #ask}; an attempt of this job waits for the engine if it is absent. */
  boolean holds(JobId job) {
    // Before the question, so that the return of the engine is not missed.
    held.add(job);
    boolean absent = ask();
    if (!absent) {
      held.remove(job);
    }
    return absent;
  }

  /** Returns whether an attempt of this job waited for the engine, and forgets it. */
  boolean release(JobId job) {
    return held.remove(job);
  }

  private synchronized void begin(Message why) {
    boolean first = absence.isEmpty();
    absence = Optional.of(why);
    if (first) {
      LOG.warn("the engine is absent; jobs wait for its return: {}", why.english());
      askLater();
    }
  }

  private void askLater() {
    CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS, threads)
        .execute(this::askAgain);
  }

  private void askAgain() {
    boolean back = false;
    try {
      back = engine.absence().isEmpty();
    } catch (RuntimeException e) {
      LOG.warn("failed to ask the engine whether it is back; will retry", e);
    } finally {
      if (!back) {
        askLater();
      }
    }
    if (!back) {
      return;
    }
    synchronized (this) {
      absence = Optional.empty();
    }
    LOG.info("the engine is back");
    returned.run();
  }

  /** Replaces the reasons of jobs that could run by the absence of the engine. */
  Map<JobId, Message> addTo(Map<JobId, Message> reasons, Collection<JobId> jobs) {
    Optional<Message> why = absence;
    if (why.isPresent()) {
      reasons.replaceAll((_, reason) -> reason.code().startsWith(NEVER) ? reason : why.get());
      jobs.stream().filter(held::contains).forEach(job -> reasons.put(job, why.get()));
    }
    return reasons;
  }
}
