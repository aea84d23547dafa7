package dev.trainyard.server.announcement;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for announcements. */
final class AnnouncementStore {
  private static final String SELECT =
      "select id, title, body, level, starts, ends, user_name, created from announcement ";

  private AnnouncementStore() {}

  /** Returns all announcements, newest first. */
  static List<Announcement> list(Handle handle) {
    return handle
        .createQuery(SELECT + "order by starts desc, id desc")
        .map((rows, _) -> announcement(rows))
        .list();
  }

  static int count(Handle handle) {
    return handle.createQuery("select count(*) from announcement").mapTo(Integer.class).one();
  }

  static void insert(Handle handle, Announcement announcement) {
    handle
        .createUpdate(
            """
            insert into announcement (id, title, body, level, starts, ends, user_name, created) \
            values (:id, :title, :body, :level, :starts, :ends, :user, :created)\
            """)
        .bind("id", announcement.id())
        .bind("title", announcement.title())
        .bind("body", announcement.text())
        .bind("level", announcement.level())
        .bind("starts", announcement.from().toEpochMilli())
        .bind("ends", announcement.until().map(Instant::toEpochMilli).orElse(null))
        .bind("user", announcement.user())
        .bind("created", announcement.created().toEpochMilli())
        .execute();
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from announcement where id = ?", id);
  }

  static Optional<Announcement> find(Handle handle, String id) {
    return handle
        .createQuery(SELECT + "where id = :id")
        .bind("id", id)
        .map((rows, _) -> announcement(rows))
        .findOne();
  }

  private static Announcement announcement(ResultSet rows) throws SQLException {
    long ends = rows.getLong("ends");
    Optional<Instant> until =
        rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(ends));
    return new Announcement(
        rows.getString("id"),
        rows.getString("title"),
        rows.getString("body"),
        rows.getString("level"),
        Instant.ofEpochMilli(rows.getLong("starts")),
        until,
        rows.getString("user_name"),
        Instant.ofEpochMilli(rows.getLong("created")));
  }
}
