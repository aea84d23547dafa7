package dev.trainyard.server.job;

import dev.trainyard.model.AppException;
import dev.trainyard.model.JobId;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.JobState;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.event.EventStore;
import dev.trainyard.server.event.NewEvent;
import dev.trainyard.server.usage.DeletedJobUsageStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * SQL statements for jobs and their files. Every change of a job stores an event in the same
 * transaction.
 */
public final class JobStore {
  static final int MAX_LIST_LENGTH = 500;

  static final String UNFINISHED_STATES =
      quoted(
          JobState.WAITING,
          JobState.PREPARING,
          JobState.RUNNING,
          JobState.STOPPING,
          JobState.PAUSED);

  private final EventStore events = new EventStore();
  private final InstantSource clock;

  /**
   * @param clock provides the times of events
   */
  public JobStore(InstantSource clock) {
    this.clock = clock;
  }

  /** Stores a new job. Returns false if the owner already has a job of this name. */
  boolean insert(Handle handle, Job job, JobConfig config) {
    handle
        .createUpdate(
            """
            insert into job_owner (user_id, user_name) values (:id, :name) \
            on conflict (user_id) do nothing\
            """)
        .bind("id", job.userId())
        .bind("name", job.userName())
        .execute();
    String storedSpec = StoredJson.write(config.spec());
    int insertedRows =
        handle
            .createUpdate(
                """
                insert into job (id, version, user_id, user_name, name, state, format, image, \
                virtual_cluster, cpus, memory_mb, devices, task_count, role_count, priority, \
                search, attempt, submitted, file_bytes) \
                values (:id, :version, :userId, :userName, :name, :state, :format, :image, \
                :virtualCluster, :cpus, :memory, :devices, :taskCount, :roleCount, :priority, \
                :search, :attempt, :submitted, :bytes) \
                on conflict (user_id, name) do nothing\
                """)
            .bind("id", job.id().value())
            .bind("version", job.status().version())
            .bind("userId", job.userId())
            .bind("userName", job.userName())
            .bind("name", job.name())
            .bind("state", job.state().name())
            .bind("format", job.format().label())
            .bind("image", job.image())
            .bind("virtualCluster", job.virtualCluster())
            .bind("cpus", job.cpus())
            .bind("memory", job.memory().megabytes())
            .bind("devices", job.devices())
            .bind("taskCount", job.taskCount())
            .bind("roleCount", job.roleCount())
            .bind("priority", job.priority().isEmpty() ? null : job.priority())
            .bind("search", job.searchText())
            .bind("attempt", job.status().attempt())
            .bind("submitted", job.submitted().toEpochMilli())
            .bind("bytes", JobConfig.sizeInBytes(config.raw(), storedSpec))
            .execute();
    if (insertedRows == 0) {
      return false;
    }
    handle
        .createUpdate(
            "insert into job_config (job_id, raw, spec, warnings) values (:id, :raw, :spec,"
                + " :warnings)")
        .bind("id", job.id().value())
        .bind("raw", config.raw())
        .bind("spec", storedSpec)
        .bind("warnings", StoredJson.write(config.warnings()))
        .execute();
    events.insert(handle, JobEvents.submitted(job, config.warnings()), job.submitted());
    return true;
  }

  /**
   * Changes the state of a job. All state changes must use this method. If the job was changed
   * after {@code from} was read, the method changes nothing and returns empty; the caller must then
   * read the job again.
   */
  public Optional<Job> change(Handle handle, Job from, JobStatus to) {
    return change(handle, from, to, Optional.empty(), List.of());
  }

  /**
   * Like {@link #change(Handle, Job, JobStatus)}, with details for the event.
   *
   * @param additionalReason additional reason that the new state does not contain
   * @param precedingEvents events of the same change that are stored before the event of the new
   *     state
   */
  public Optional<Job> change(
      Handle handle,
      Job from,
      JobStatus to,
      Optional<Message> additionalReason,
      List<NewEvent> precedingEvents) {
    Optional<Job> changed = update(handle, from, to);
    if (changed.isPresent()) {
      List<NewEvent> newEvents = new ArrayList<>(precedingEvents);
      newEvents.add(JobEvents.changed(from, to, additionalReason));
      storeEvents(handle, newEvents);
      if (to.state().isFinal() && !from.state().isFinal()) {
        FinishedJobStore.add(handle, from.id(), to.state());
      }
    }
    return changed;
  }

  /** Stores events without changing the job. */
  public void storeEvents(Handle handle, List<NewEvent> newEvents) {
    events.insert(handle, newEvents, clock.instant());
  }

  private static Optional<Job> update(Handle handle, Job from, JobStatus to) {
    if (!from.state().canBecome(to.state())) {
      throw new IllegalStateException(
          "job " + from.id() + " can't change from " + from.state() + " to " + to.state());
    }
    long version = from.status().version() + 1;
    Update update =
        handle
            .createUpdate(
                """
                update job set version = :next, state = :state, attempt = :attempt, \
                started = :started, ended = :ended, exit_code = :exitCode, \
                stop_cause = :stopCause, stopped_by = :stoppedBy, stop_grace = :grace, \
                reason_code = :reasonCode, reason_params = :reasonParams, cause = :cause, \
                retries = :retries, faults = :faults, conflicts = :conflicts, \
                task_retries = :taskRetries, not_before = :notBefore, back_off = :backOff where id = :id and version = :version\
                """)
            .bind("id", from.id().value())
            .bind("version", from.status().version())
            .bind("next", version)
            .bind("state", to.state().name())
            .bind("attempt", to.attempt())
            .bind("cause", to.retries().cause().name())
            .bind("retries", to.retries().past().counted())
            .bind("faults", to.retries().past().faults())
            .bind("conflicts", to.retries().past().conflicts())
            .bind("taskRetries", StoredJson.write(to.retries().past().tasks()))
            .bind("backOff", to.retries().backOff().toMillis())
            .bind("stopCause", to.stopCause().map(Enum::name).orElse(null))
            .bind("stoppedBy", to.stoppedBy().orElse(null))
            .bind("reasonCode", to.reason().map(reason -> reason.code()).orElse(null))
            .bind(
                "reasonParams",
                to.reason().map(reason -> StoredJson.write(reason.params())).orElse(null));
    bindMillis(update, "notBefore", to.retries().notBefore());
    bindMillis(update, "grace", to.stop().flatMap(StopRequest::grace).map(JobStore::toInstant));
    bindMillis(update, "started", to.started());
    bindMillis(update, "ended", to.ended());
    if (to.exitCode().isPresent()) {
      update.bind("exitCode", to.exitCode().getAsInt());
    } else {
      update.bindNull("exitCode", Types.INTEGER);
    }
    return update.execute() == 1
        ? Optional.of(from.with(to.withVersion(version)))
        : Optional.empty();
  }

  private static Instant toInstant(Duration duration) {
    return Instant.ofEpochMilli(duration.toMillis());
  }

  static void bindMillis(Update update, String name, Optional<Instant> time) {
    if (time.isPresent()) {
      update.bind(name, time.get().toEpochMilli());
    } else {
      update.bindNull(name, Types.BIGINT);
    }
  }

  public Optional<Job> find(Handle handle, JobId id) {
    return handle
        .createQuery("select " + JobRow.COLUMNS + " from job where id = :id")
        .bind("id", id.value())
        .map((rows, _) -> JobRow.job(rows))
        .findOne();
  }

  static List<Job> findAll(Handle handle, Collection<JobId> ids) {
    List<Job> found = new ArrayList<>();
    List<String> values = ids.stream().map(JobId::value).toList();
    for (int start = 0; start < values.size(); start += MAX_LIST_LENGTH) {
      found.addAll(
          handle
              .createQuery("select " + JobRow.COLUMNS + " from job where id in (<ids>)")
              .bindList(
                  "ids", values.subList(start, Math.min(values.size(), start + MAX_LIST_LENGTH)))
              .map((rows, _) -> JobRow.job(rows))
              .list());
    }
    return found;
  }

  Optional<Job> findByName(Handle handle, String userId, String name) {
    return handle
        .createQuery(
            "select " + JobRow.COLUMNS + " from job where user_id = :user and name = :name")
        .bind("user", userId)
        .bind("name", name)
        .map((rows, _) -> JobRow.job(rows))
        .findOne();
  }

  /** Returns the jobs of a user with these names, at most 500, in any order. */
  List<Job> findByNames(Handle handle, String userId, Collection<String> names) {
    return names.isEmpty()
        ? List.of()
        : handle
            .createQuery(
                "select "
                    + JobRow.COLUMNS
                    + " from job where user_id = :user and name in (<names>)")
            .bind("user", userId)
            .bindList("names", List.copyOf(names))
            .map((rows, _) -> JobRow.job(rows))
            .list();
  }

  boolean isNameTaken(Handle handle, String userId, String name) {
    return handle
        .createQuery("select 1 from job where user_id = :user and name = :name")
        .bind("user", userId)
        .bind("name", name)
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }

  /**
   * Returns the IDs of all users who submitted jobs under this user name, newest user first.
   * Several users have the same name if a name was reused.
   */
  List<String> ownersNamed(Handle handle, String userName) {
    return handle
        .createQuery("select user_id from job_owner where user_name = :name order by user_id desc")
        .bind("name", userName)
        .mapTo(String.class)
        .list();
  }

  /**
   * Returns the size of the file and the spec of a job in bytes, without reading them; 0 if the job
   * does not exist.
   */
  long configBytes(Handle handle, JobId id) {
    return handle
        .createQuery(
            "select octet_length(raw) + octet_length(spec) from job_config where job_id = :id")
        .bind("id", id.value())
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  public Optional<JobConfig> findConfig(Handle handle, JobId id) {
    return handle
        .createQuery("select raw, spec, warnings from job_config where job_id = :id")
        .bind("id", id.value())
        .map(
            (rows, _) ->
                new JobConfig(
                    rows.getString(1),
                    StoredJson.spec(rows.getString(2)),
                    StoredJson.problems(rows.getString(3))))
        .findOne();
  }

  /** Reads a job with its file in one query. */
  public Optional<JobWithConfig> findWithConfig(Handle handle, JobId id) {
    return handle
        .createQuery(
            "select "
                + JobRow.COLUMNS
                + ", raw, spec, warnings from job join job_config on job_id = id where id = :id")
        .bind("id", id.value())
        .map(
            (rows, _) ->
                new JobWithConfig(
                    JobRow.job(rows),
                    new JobConfig(
                        rows.getString("raw"),
                        StoredJson.spec(rows.getString("spec")),
                        StoredJson.problems(rows.getString("warnings")))))
        .findOne();
  }

  /** A job with its file. */
  public record JobWithConfig(Job job, JobConfig config) {}

  /**
   * Passes every job that waits or holds resources, with its spec, to the consumer, oldest first.
   * Only a few specs are in memory at a time. Jobs whose spec cannot be read are skipped.
   */
  public void forEachQueuedOrActive(Handle handle, Consumer<JobWithSpec> consumer) {
    UnfinishedJobStore.read(handle, consumer, (_, _) -> {});
  }

  /**
   * Reads the jobs that wait or hold resources; used when the queue starts. Passes on the specs of
   * waiting jobs without keeping them, because they may not all fit into memory.
   *
   * @param waiting receives every waiting job, oldest first
   * @param unreadable receives, after the transaction, every job whose spec cannot be read
   * @return the jobs that hold resources
   */
  public List<JobWithSpec> loadQueue(
      Db db, Consumer<JobWithSpec> waiting, BiConsumer<JobId, AppException> unreadable) {
    Map<JobId, AppException> errors = new LinkedHashMap<>();
    List<JobWithSpec> loaded =
        db.read(
            handle -> {
              List<JobWithSpec> startedJobs = new ArrayList<>();
              UnfinishedJobStore.read(
                  handle,
                  found -> {
                    if (found.job().state() == JobState.WAITING) {
                      waiting.accept(found);
                    } else {
                      startedJobs.add(found);
                    }
                  },
                  (job, error) -> errors.put(job.id(), error));
              return startedJobs;
            });
    errors.forEach(unreadable);
    return loaded;
  }

  /** Finds a job with its spec, in any state. */
  public Optional<JobWithSpec> findWithSpec(Handle handle, JobId id) {
    return findWithConfig(handle, id)
        .map(jobWithConfig -> new JobWithSpec(jobWithConfig.job(), jobWithConfig.config().spec()));
  }

  /** Returns the jobs that the queue must know: waiting jobs, and jobs being stopped. */
  public Map<JobId, JobState> listForQueue(Handle handle) {
    Map<JobId, JobState> states = new HashMap<>();
    handle
        .createQuery(
            "select id, state from job where state in ("
                + quoted(JobState.WAITING, JobState.STOPPING)
                + ")")
        .map(
            (rows, _) ->
                Map.entry(new JobId(rows.getString(1)), JobState.valueOf(rows.getString(2))))
        .forEach(entry -> states.put(entry.getKey(), entry.getValue()));
    return states;
  }

  /** A job with its spec. */
  public record JobWithSpec(Job job, JobSpec spec) {}

  /** Returns the number of unfinished jobs of this user. */
  public int countUnfinished(Handle handle, String userId) {
    return handle
        .createQuery(
            "select count(*) from job where user_id = :user and state in ("
                + UNFINISHED_STATES
                + ")")
        .bind("user", userId)
        .mapTo(Integer.class)
        .one();
  }

  /** Returns the number of jobs in each state that is not final. */
  public Map<JobState, Long> countUnfinished(Handle handle) {
    Map<JobState, Long> counts = new EnumMap<>(JobState.class);
    handle
        .createQuery(
            "select state, count(*) from job where state in ("
                + UNFINISHED_STATES
                + ") group by state")
        .map((rows, _) -> Map.entry(JobState.valueOf(rows.getString(1)), rows.getLong(2)))
        .forEach(count -> counts.put(count.getKey(), count.getValue()));
    return counts;
  }

  /** Returns the submission time of the newest job; empty if there are no jobs. */
  public Optional<Instant> newestSubmission(Handle handle) {
    return handle
        .createQuery("select submitted from job order by id desc limit 1")
        .mapTo(Long.class)
        .findOne()
        .map(Instant::ofEpochMilli);
  }

  /** Returns the jobs that pass a filter, newest first. */
  List<Job> list(Handle handle, JobFilter filter) {
    return new JobListQuery(filter).run(handle);
  }

  static String quoted(JobState... states) {
    return "'" + String.join("','", Arrays.stream(states).map(Enum::name).toList()) + "'";
  }

  /**
   * Deletes a finished job with all its data. Returns false if the job does not exist or is not
   * finished.
   *
   * @param reason states who deleted the job or why; sent to the subscribers of events
   */
  public boolean delete(Handle handle, JobId id, Message reason) {
    boolean finished = find(handle, id).map(job -> job.state().isFinal()).orElse(false);
    if (!finished || !events.insertDeletion(handle, id, reason, clock.instant())) {
      return false;
    }
    DeletedJobUsageStore.store(handle, id);
    return handle.createUpdate("delete from job where id = :id").bind("id", id.value()).execute()
        == 1;
  }

  static Optional<Instant> nullableTime(ResultSet rows, String column) throws SQLException {
    long millis = rows.getLong(column);
    return rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  static OptionalInt nullableInt(ResultSet rows, String column) throws SQLException {
    int value = rows.getInt(column);
    return rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(value);
  }
}
