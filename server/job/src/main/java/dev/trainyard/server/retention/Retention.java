package dev.trainyard.server.retention;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.job.JobStore;
import dev.trainyard.server.log.LogRemovalStore;
import dev.trainyard.server.log.LogStore;
import dev.trainyard.server.metric.MetricText;
import dev.trainyard.server.metric.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes expired data: first logs, then whole jobs, the oldest first. Each job is deleted in a
 * separate transaction, so that no other write waits long. A sweep may be interrupted at any point;
 * the next sweep completes an interrupted deletion. Thread-safe.
 */
public final class Retention implements Metrics.Source {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
  private static final int BATCH = 200;

  private final Db db;
  private final LogStore logs;
  private final LogRemovalStore removals;
  private final Consumer<JobId> deleteFiles;
  private final RetentionPolicy policy;
  private final InstantSource clock;
  private final BooleanSupplier clockSettled;
  private final RetentionStore store = new RetentionStore();
  private final JobStore jobs;
  private final ReentrantLock sweepLock = new ReentrantLock();
  private final LongAdder removedJobs = new LongAdder();
  private final LongAdder removedLogs = new LongAdder();
  private final LongAdder removedBytes = new LongAdder();
  private volatile boolean closed;

  /**
   * @param deleteFiles deletes all files of a finished job
   * @param clockSettled returns false while the ages of jobs are unreliable because the clock was
   *     changed
   */
  public Retention(
      Db db,
      LogStore logs,
      LogRemovalStore removals,
      Consumer<JobId> deleteFiles,
      RetentionPolicy policy,
      InstantSource clock,
      BooleanSupplier clockSettled) {
    this.db = db;
    this.logs = logs;
    this.removals = removals;
    this.deleteFiles = deleteFiles;
    this.policy = policy;
    this.clock = clock;
    this.jobs = new JobStore(clock);
    this.clockSettled = clockSettled;
  }

  /** Number of deleted jobs, number of jobs whose logs were deleted, and the size of these logs. */
  public record Removed(long jobs, long logs, long bytes) {}

  /** Returns what a sweep would delete now. */
  public Removed preview() {
    Instant now = clock.instant();
    List<KeptLog> expiredLogs = logsToRemove(now);
    long expiredJobs =
        policy
            .jobs()
            .map(
                retentionPeriod ->
                    db.read(handle -> store.countEndedBefore(handle, now.minus(retentionPeriod))))
            .orElse(0L);
    return new Removed(
        expiredJobs, expiredLogs.size(), expiredLogs.stream().mapToLong(KeptLog::bytes).sum());
  }

  /** Returns whether the ages of jobs are reliable. */
  boolean mayDelete() {
    return clockSettled.getAsBoolean();
  }

  /** Deletes expired data. If the sweep is interrupted, the next sweep deletes the rest. */
  public Removed sweep() {
    sweepLock.lock();
    try {
      if (!mayDelete()) {
        LOG.warn("the clock was changed; retention is suspended until the clock is reliable again");
        return new Removed(0, 0, 0);
      }
      Instant now = clock.instant();
      removals.unfinished().forEach(this::removeFiles);
      Removed removed = removeLogs(now);
      long deletedJobs = removeJobs(now);
      if (deletedJobs + removed.logs() > 0) {
        LOG.info(
            "retention deleted {} jobs, and the logs of {} jobs with {} bytes",
            deletedJobs,
            removed.logs(),
            removed.bytes());
      }
      return new Removed(deletedJobs, removed.logs(), removed.bytes());
    } finally {
      sweepLock.unlock();
    }
  }

  /** Requests that a running sweep stops soon. */
  public void close() {
    closed = true;
  }

  private List<KeptLog> logsToRemove(Instant now) {
    if (policy.logs().isEmpty() && policy.logsSize().isEmpty()) {
      return List.of();
    }
    Map<JobId, Long> sizes = new HashMap<>();
    try {
      logs.forEachJob(sizes::put);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<JobId> ids = List.copyOf(sizes.keySet());
    List<KeptLog> finishedJobLogs = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += BATCH) {
      List<JobId> batch = ids.subList(from, Math.min(ids.size(), from + BATCH));
      db.read(handle -> store.ends(handle, batch))
          .forEach((job, ended) -> finishedJobLogs.add(new KeptLog(job, ended, sizes.get(job))));
    }
    long totalBytes = sizes.values().stream().mapToLong(Long::longValue).sum();
    long finishedBytes = finishedJobLogs.stream().mapToLong(KeptLog::bytes).sum();
    return RetentionRule.logsToRemove(finishedJobLogs, totalBytes - finishedBytes, policy, now);
  }

  private Removed removeLogs(Instant now) {
    long count = 0;
    long bytes = 0;
    for (KeptLog log : logsToRemove(now)) {
      if (closed) {
        break;
      }
      if (removals.begin(log.job(), log.bytes(), now)) {
        removeFiles(log.job());
        count++;
        bytes += log.bytes();
      }
    }
    removedLogs.add(count);
    removedBytes.add(bytes);
    return new Removed(0, count, bytes);
  }

  private void removeFiles(JobId job) {
    logs.delete(job);
    removals.end(job);
  }

  private long removeJobs(Instant now) {
    if (policy.jobs().isEmpty()) {
      return 0;
    }
    Instant cutoff = now.minus(policy.jobs().get());
    long count = 0;
    boolean hasProgress = true;
    while (hasProgress && !closed) {
      long countBefore = count;
      for (JobId job : db.read(handle -> store.endedBefore(handle, cutoff, BATCH))) {
        if (closed) {
          break;
        }
        // Deletes the files first: if the server crashes before it deletes the job, the next sweep
        // finds the job again.
        deleteFiles.accept(job);
        if (db.write(handle -> jobs.delete(handle, job, Message.of("event.deleted-old")))) {
          count++;
        }
      }
      hasProgress = count > countBefore;
    }
    removedJobs.add(count);
    return count;
  }

  @Override
  public void writeTo(MetricText text) {
    text.family("trainyard_retention_jobs_total", "counter", "Jobs deleted because of their age.");
    text.sample("trainyard_retention_jobs_total", removedJobs.sum());
    text.family("trainyard_retention_logs_total", "counter", "Jobs whose logs were deleted.");
    text.sample("trainyard_retention_logs_total", removedLogs.sum());
    text.family("trainyard_retention_log_bytes_total", "counter", "Bytes of deleted logs.");
    text.sample("trainyard_retention_log_bytes_total", removedBytes.sum());
  }
}
