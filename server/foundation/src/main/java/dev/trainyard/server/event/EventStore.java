package dev.trainyard.server.event;

import dev.trainyard.model.JobId;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.CommitOrder;
import dev.trainyard.server.db.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;

/** SQL statements for events. */
public final class EventStore {
  static final String TABLE = "event";

  private static final String SELECT =
      """
      select e.id, e.job_id, e.user_id, e.happened, e.type, e.warning, e.attempt, e.role, \
      e.task_index, e.code, e.params, j.user_name, j.name from event e join job j on j.id = e.job_id\
      """;

  /**
   * Selects the deletion events of jobs, whose rows contain all columns that other events get from
   * the event and the job.
   */
  private static final String SELECT_DELETED =
      """
      select e.id, e.job_id, e.user_id, e.happened, 'DELETED' as type, 0 as warning, e.attempt, \
      cast(null as text) as role, cast(null as int) as task_index, e.code, e.params, e.user_name, \
      e.name from job_deletion e\
      """;

  /**
   * Stores events. Must be called in the transaction of the change that they describe, and as late
   * in it as possible.
   */
  public void insert(Handle handle, List<NewEvent> events, Instant now) {
    if (events.isEmpty()) {
      return;
    }
    CommitOrder.lock(handle);
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into event (job_id, user_id, happened, type, warning, attempt, role, \
            task_index, code, params) values (:job, :user, :now, :type, :warning, :attempt, \
            :role, :index, :code, :params)\
            """);
    for (NewEvent event : events) {
      batch
          .bind("job", event.job().value())
          .bind("user", event.userId())
          .bind("now", now.toEpochMilli())
          .bind("type", event.type().name())
          .bind("warning", event.warning() ? 1 : 0)
          .bind("attempt", event.attempt())
          .bind("role", event.role().orElse(null))
          .bind("index", event.index().isPresent() ? event.index().getAsInt() : null)
          .bind("code", event.message().code())
          .bind("params", StoredMessage.params(event.message()))
          .add();
    }
    batch.execute();
  }

  /**
   * Stores the reasons why jobs wait, one event per attempt. Jobs that have changed since the
   * reason was determined are skipped. Repeating the call, even after a restart of the server, adds
   * nothing.
   */
  public void insertWaiting(Handle handle, List<JobWaitReason> waiting, Instant now) {
    CommitOrder.lock(handle);
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into event (job_id, user_id, happened, type, warning, attempt, code, params) \
            select id, user_id, :now, 'WAITING', :warning, attempt, :code, :params from job \
            where id = :job and version = :version and state = 'WAITING' and not exists \
            (select 1 from event e where e.job_id = job.id and e.attempt = job.attempt \
            and e.type = 'WAITING')\
            """);
    for (JobWaitReason reason : waiting) {
      batch
          .bind("now", now.toEpochMilli())
          .bind("warning", reason.warning() ? 1 : 0)
          .bind("code", reason.message().code())
          .bind("params", StoredMessage.params(reason.message()))
          .bind("job", reason.job().value())
          .bind("version", reason.version())
          .add();
    }
    batch.execute();
  }

  /**
   * The reason why a job waits.
   *
   * @param version version of the job when the reason was determined
   */
  public record JobWaitReason(JobId job, long version, boolean warning, Message message) {}

  /**
   * Stores the event of a job's deletion; must be called in the transaction that deletes the job.
   * This event is stored in a separate table, with an ID from the same sequence, because the other
   * events are deleted with the job.
   *
   * @return false if the job does not exist
   */
  public boolean insertDeletion(Handle handle, JobId job, Message message, Instant now) {
    CommitOrder.lock(handle);
    int inserted =
        handle
            .createUpdate(
                """
                insert into event (job_id, user_id, happened, type, warning, attempt, code, params) \
                select id, user_id, :now, 'DELETED', 0, attempt, :code, :params from job \
                where id = :job\
                """)
            .bind("now", now.toEpochMilli())
            .bind("code", message.code())
            .bind("params", StoredMessage.params(message))
            .bind("job", job.value())
            .execute();
    handle
        .createUpdate(
            """
            insert into job_deletion (id, job_id, user_id, user_name, name, happened, attempt, \
            code, params) select e.id, j.id, j.user_id, j.user_name, j.name, e.happened, \
            e.attempt, e.code, e.params from event e join job j on j.id = e.job_id \
            where e.job_id = :job and e.type = 'DELETED'\
            """)
        .bind("job", job.value())
        .execute();
    return inserted == 1;
  }

  /** Returns the oldest events above an ID, oldest first. */
  List<Event> listAfter(Handle handle, EventScope scope, long above, int limit) {
    return query(handle, scope, "e.id > :bound", "id", above, limit);
  }

  /** Returns the newest events below an ID, newest first. */
  public List<Event> listBefore(Handle handle, EventScope scope, long below, int limit) {
    return query(handle, scope, "e.id < :bound", "id desc", below, limit);
  }

  private static List<Event> query(
      Handle handle, EventScope scope, String bound, String order, long value, int limit) {
    StringBuilder clauses = new StringBuilder(" where ").append(bound);
    scope.owner().ifPresent(owner -> clauses.append(" and e.user_id = :owner"));
    scope.job().ifPresent(job -> clauses.append(" and e.job_id = :job"));
    clauses.append(" order by e.").append(order).append(" limit :limit");
    // Each subquery uses its own index and has a limit; their results are then merged.
    String sql =
        ("select * from (%s%s) as job_events union all"
                + " select * from (%s%s) as deletion_events order by %s limit :limit")
            .formatted(SELECT, clauses, SELECT_DELETED, clauses, order);
    Query query = handle.createQuery(sql).bind("bound", value).bind("limit", limit);
    scope.owner().ifPresent(owner -> query.bind("owner", owner));
    scope.job().ifPresent(job -> query.bind("job", job.value()));
    return query.map((rows, _) -> event(rows)).list();
  }

  private static Event event(ResultSet rows) throws SQLException {
    int index = rows.getInt("task_index");
    OptionalInt taskIndex = rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(index);
    return new Event(
        rows.getLong("id"),
        Instant.ofEpochMilli(rows.getLong("happened")),
        rows.getString("user_name"),
        rows.getString("name"),
        new NewEvent(
            new JobId(rows.getString("job_id")),
            rows.getString("user_id"),
            EventType.valueOf(rows.getString("type")),
            rows.getInt("warning") == 1,
            rows.getInt("attempt"),
            Optional.ofNullable(rows.getString("role")),
            taskIndex,
            StoredMessage.read(rows.getString("code"), rows.getString("params"))));
  }

  /** Returns the largest visible ID. */
  long newest(Handle handle) {
    return handle
        .createQuery(
            """
            select max(id) from (select max(id) as id from event \
            union all select max(id) from job_deletion) as newest\
            """)
        .mapTo(Long.class)
        .findOne()
        .orElse(0L);
  }

  /** Returns jobs with more than {@code maxEvents} events, and the number of their events. */
  List<JobEventCount> listExceeding(Handle handle, int maxEvents, int limit) {
    return handle
        .createQuery(
            """
            select job_id, count(*) from event group by job_id having count(*) > :maxEvents \
            limit :limit\
            """)
        .bind("maxEvents", maxEvents)
        .bind("limit", limit)
        .map((rows, _) -> new JobEventCount(new JobId(rows.getString(1)), rows.getLong(2)))
        .list();
  }

  record JobEventCount(JobId job, long events) {}

  /**
   * Deletes the oldest deletion events, so that at most {@code maxEvents} remain, and returns their
   * number.
   */
  int pruneDeletions(Handle handle, int maxEvents) {
    return handle
        .createUpdate(
            """
            delete from job_deletion where id <= (select id from job_deletion \
            order by id desc limit 1 offset :maxEvents)\
            """)
        .bind("maxEvents", maxEvents)
        .execute();
  }

  /** Deletes the oldest events of a job, but not its submission, and returns their number. */
  int deleteOldest(Handle handle, JobId job, int count) {
    return handle
        .createUpdate(
            """
            delete from event where id in (select id from event where job_id = :job \
            and type <> 'SUBMITTED' order by id limit :count)\
            """)
        .bind("job", job.value())
        .bind("count", count)
        .execute();
  }
}
