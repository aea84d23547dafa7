package dev.trainyard.server.job;

import dev.trainyard.model.JobId;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.audit.AuditDeduplicator;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The tags of jobs. Thread-safe. */
public final class JobTags {
  /** Maximum number of tags per job. */
  public static final int MAX_TAGS = 100;

  public static final int MAX_TAG_LENGTH = 255;

  /**
   * Maximum number of job names in the audit record of a batch. The record always contains the
   * number of all changed jobs.
   */
  private static final int MAX_AUDITED_JOBS = 25;

  private final Db db;
  private final Audit audit;
  private final AuditDeduplicator auditDeduplicator;

  public JobTags(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.auditDeduplicator = new AuditDeduplicator(clock);
  }

  /**
   * Returns whether a text is a valid tag. Commas are invalid because they separate tags in a URL.
   */
  public static boolean isTag(String text) {
    return !text.isBlank()
        && text.length() <= MAX_TAG_LENGTH
        && text.indexOf(',') < 0
        && text.chars().noneMatch(Character::isISOControl);
  }

  public List<String> of(Job job) {
    return db.read(handle -> JobTagStore.of(handle, List.of(job)))
        .getOrDefault(job.id(), List.of());
  }

  /** Returns the tags of these jobs; omits jobs without tags. */
  Map<JobId, List<String>> of(List<Job> jobs) {
    return db.read(handle -> JobTagStore.of(handle, jobs));
  }

  /**
   * Adds a tag. Returns true if the job now has the tag, even if it already had the tag before.
   * Returns false if the job does not exist or already has the maximum number of tags.
   */
  public boolean add(Caller caller, Job job, String tag) {
    return addAll(caller, List.of(job), tag).contains(job.id());
  }

  /**
   * Adds a tag to several jobs with one audit record. Returns the IDs of the jobs that now have the
   * tag.
   */
  public Set<JobId> addAll(Caller caller, List<Job> jobs, String tag) {
    return write(
        caller,
        "job.tag",
        (handle, mustRecord) -> {
          Map<JobId, List<String>> tagsByJob = JobTagStore.of(handle, jobs);
          Set<JobId> taggedIds = new HashSet<>();
          List<Job> changed = new ArrayList<>();
          for (Job job : jobs) {
            List<String> currentTags = tagsByJob.getOrDefault(job.id(), List.of());
            if (currentTags.contains(tag)) {
              taggedIds.add(job.id());
            } else if (currentTags.size() < MAX_TAGS && JobTagStore.insert(handle, job.id(), tag)) {
              taggedIds.add(job.id());
              changed.add(job);
            }
          }
          record(handle, caller, "job.tag", changed, tag, mustRecord);
          return taggedIds;
        });
  }

  /** Removes a tag. Returns false if the job did not have the tag. */
  public boolean remove(Caller caller, Job job, String tag) {
    return removeAll(caller, List.of(job), tag).contains(job.id());
  }

  /**
   * Removes a tag from several jobs with one audit record. Returns the IDs of the jobs that had the
   * tag.
   */
  public Set<JobId> removeAll(Caller caller, List<Job> jobs, String tag) {
    return write(
        caller,
        "job.untag",
        (handle, mustRecord) -> {
          List<Job> changed =
              jobs.stream().filter(job -> JobTagStore.delete(handle, job.id(), tag)).toList();
          record(handle, caller, "job.untag", changed, tag, mustRecord);
          return changed.stream().map(Job::id).collect(Collectors.toUnmodifiableSet());
        });
  }

  /**
   * Performs a transaction. The transaction receives a predicate that decides whether the change of
   * a target must be recorded. The decision stays the same if the database repeats the transaction,
   * and is discarded if the transaction fails.
   */
  private <T> T write(
      Caller caller, String action, BiFunction<Handle, Predicate<String>, T> transaction) {
    Map<String, Boolean> decisions = new HashMap<>();
    Predicate<String> mustRecord =
        target ->
            decisions.computeIfAbsent(
                target, it -> auditDeduplicator.admit(caller.userId(), action, it));
    try {
      return db.write(handle -> transaction.apply(handle, mustRecord));
    } catch (RuntimeException e) {
      decisions.forEach(
          (target, admitted) -> {
            if (admitted) {
              auditDeduplicator.forget(caller.userId(), action, target);
            }
          });
      throw e;
    }
  }

  /**
   * Writes one audit record for all changed jobs. If the caller changes a single job of their own,
   * the change is recorded at most once per hour and job, because it affects no other user and a
   * program may change tags continuously.
   */
  private void record(
      Handle handle,
      Caller caller,
      String action,
      List<Job> changed,
      String tag,
      Predicate<String> mustRecord) {
    boolean allOwn = changed.stream().allMatch(job -> job.userId().equals(caller.userId()));
    if (changed.size() == 1) {
      String target = JobControl.auditTarget(changed.getFirst());
      if (!allOwn || mustRecord.test(target)) {
        record(handle, caller, action, target, Map.of("tag", tag));
      }
    } else if (!changed.isEmpty()) {
      List<String> names =
          changed.stream().map(JobControl::auditTarget).limit(MAX_AUDITED_JOBS).toList();
      Map<String, ?> details = Map.of("tag", tag, "count", changed.size(), "jobs", names);
      record(handle, caller, action, "jobs", details);
    }
  }

  private void record(
      Handle handle, Caller caller, String action, String target, Map<String, ?> details) {
    boolean added = action.equals("job.tag");
    audit.record(
        handle,
        Actor.of(caller),
        action,
        target,
        added ? Map.of() : details,
        added ? details : Map.of());
  }
}
