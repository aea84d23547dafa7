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

/** The SQL of events. */
public final class EventStore {
  static final String TABLE = "event";

  private static final String SELECT =
      """
      select e.id, e.job_id, e.user_id, e.happened, e.type, e.warning, e.attempt, e.role, \
      e.task_index, e.code, e.params, j.user_name, j.name from event e join job j on j.id = e.job_id\
      """;

  /** Stores events in the transaction of what they tell of; as late in it as possible. */
  public void insert(Handle handle, List<NewEvent> events, Instant now) {
    if (events.isEmpty()) {
      return;
    }
    CommitOrder.enter(handle);
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
   * Stores why jobs wait, of those that still do as they did when they were asked, once per
   * attempt: whoever repeats this, even in another life of the server, adds nothing.
   */
  public void insertWaiting(Handle handle, List<Waiting> waiting, Instant now) {
    CommitOrder.enter(handle);
    PreparedBatch batch =
        handle.prepareBatch(
            """
            insert into event (job_id, user_id, happened, type, warning, attempt, code, params) \
            select id, user_id, :now, 'WAITING', :warning, attempt, :code, :params from job \
            where id = :job and version = :version and state = 'WAITING' and not exists \
            (select 1 from event e where e.job_id = job.id and e.attempt = job.attempt \
            and e.type = 'WAITING')\
            """);
    for (Waiting one : waiting) {
      batch
          .bind("now", now.toEpochMilli())
          .bind("warning", one.warning() ? 1 : 0)
          .bind("code", one.message().code())
          .bind("params", StoredMessage.params(one.message()))
          .bind("job", one.job().value())
          .bind("version", one.version())
          .add();
    }
    batch.execute();
  }

  /**
   * Why a job waits.
   *
   * @param version of the job when it was asked
   */
  public record Waiting(JobId job, long version, boolean warning, Message message) {}

  /** The oldest events above a number, oldest first. */
  List<Event> after(Handle handle, EventScope scope, long above, int limit) {
    return query(handle, scope, "e.id > :bound", "e.id", above, limit);
  }

  /** The newest events below a number, newest first. */
  List<Event> before(Handle handle, EventScope scope, long below, int limit) {
    return query(handle, scope, "e.id < :bound", "e.id desc", below, limit);
  }

  private static List<Event> query(
      Handle handle, EventScope scope, String bound, String order, long value, int limit) {
    StringBuilder sql = new StringBuilder(SELECT).append(" where ").append(bound);
    scope.owner().ifPresent(owner -> sql.append(" and e.user_id = :owner"));
    scope.job().ifPresent(job -> sql.append(" and e.job_id = :job"));
    sql.append(" order by ").append(order).append(" limit :limit");
    Query query = handle.createQuery(sql.toString()).bind("bound", value).bind("limit", limit);
    scope.owner().ifPresent(owner -> query.bind("owner", owner));
    scope.job().ifPresent(job -> query.bind("job", job.value()));
    return query.map((rows, _) -> event(rows)).list();
  }

  private static Event event(ResultSet rows) throws SQLException {
    int index = rows.getInt("task_index");
    OptionalInt ofTask = rows.wasNull() ? OptionalInt.empty() : OptionalInt.of(index);
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
            ofTask,
            StoredMessage.read(rows.getString("code"), rows.getString("params"))));
  }

  /** The largest number that can be seen. */
  long newest(Handle handle) {
    return handle.createQuery("select max(id) from event").mapTo(Long.class).findOne().orElse(0L);
  }

  /** Jobs that have more events than they may, with how many they have. */
  List<Crowd> crowded(Handle handle, int most, int limit) {
    return handle
        .createQuery(
            """
            select job_id, count(*) from event group by job_id having count(*) > :most \
            limit :limit\
            """)
        .bind("most", most)
        .bind("limit", limit)
        .map((rows, _) -> new Crowd(new JobId(rows.getString(1)), rows.getLong(2)))
        .list();
  }

  record Crowd(JobId job, long events) {}

  /** Deletes the oldest events of a job but its first, and answers how many went. */
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
