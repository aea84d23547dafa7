package dev.trainyard.server.announcement;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Announcements, newest first. Thread-safe. */
public final class AnnouncementService {
  /** Limited because every user receives all current ones at once. */
  private static final int MOST = 200;

  private static final String COLUMNS =
      "select id, title, body, level, starts, ends, user_name, created from announcement ";

  private final Db db;
  private final Audit audit;
  private final InstantSource clock;
  private final Ulid ids;

  public AnnouncementService(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** Returns the announcements to show now. */
  public List<Announcement> current() {
    Instant now = clock.instant();
    return all().stream().filter(announcement -> announcement.isCurrent(now)).toList();
  }

  List<Announcement> all() {
    return db.read(
        handle ->
            handle
                .createQuery(COLUMNS + "order by starts desc, id desc")
                .map((rows, _) -> announcement(rows))
                .list());
  }

  Instant now() {
    return clock.instant();
  }

  String newId() {
    return ids.next();
  }

  Announcement load(String id) {
    return db.read(handle -> find(handle, id)).orElseThrow(() -> unknown(id));
  }

  Announcement add(Actor actor, Announcement announcement) {
    return db.write(
        handle -> {
          int there =
              handle.createQuery("select count(*) from announcement").mapTo(Integer.class).one();
          if (there >= MOST) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-announcements", "most", MOST));
          }
          insert(handle, announcement);
          record(handle, actor, "create", announcement, Map.of(), announcement.auditView());
          return announcement;
        });
  }

  Announcement replace(Actor actor, Announcement announcement) {
    return db.write(
        handle -> {
          Announcement before =
              find(handle, announcement.id()).orElseThrow(() -> unknown(announcement.id()));
          handle.execute("delete from announcement where id = ?", announcement.id());
          insert(handle, announcement);
          record(
              handle, actor, "change", announcement, before.auditView(), announcement.auditView());
          return announcement;
        });
  }

  void delete(Actor actor, String id) {
    db.write(
        handle -> {
          Announcement before = find(handle, id).orElseThrow(() -> unknown(id));
          handle.execute("delete from announcement where id = ?", id);
          record(handle, actor, "delete", before, before.auditView(), Map.of());
          return null;
        });
  }

  private void record(
      Handle handle,
      Actor actor,
      String what,
      Announcement announcement,
      Map<String, ?> before,
      Map<String, ?> after) {
    String target = "announcement:" + announcement.id();
    audit.record(handle, actor, "announcement." + what, target, before, after);
  }

  private static void insert(Handle handle, Announcement announcement) {
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

  private static Optional<Announcement> find(Handle handle, String id) {
    return handle
        .createQuery(COLUMNS + "where id = :id")
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

  private static AppException unknown(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-announcement", "id", id));
  }
}
