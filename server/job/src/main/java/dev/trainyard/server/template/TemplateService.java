package dev.trainyard.server.template;

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

/** Users' own templates, which are visible only to their owner. Thread-safe. */
public final class TemplateService {
  private static final int MOST = 100;
  private static final String COLUMNS =
      "select id, name, description, body, changed from job_template ";

  /** For lists, which do not contain the texts because all of them together may have 25 MB. */
  private static final String OUTLINES =
      "select id, name, description, '' as body, changed from job_template ";

  private final Db db;
  private final Audit audit;
  private final InstantSource clock;
  private final Ulid ids;

  public TemplateService(Db db, InstantSource clock) {
    this.db = db;
    this.audit = new Audit(clock);
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /** Returns the templates of a user with empty texts; {@link #load} returns the text of one. */
  List<Template> of(String userId) {
    return db.read(
        handle ->
            handle
                .createQuery(OUTLINES + "where user_id = :user order by name")
                .bind("user", userId)
                .map((rows, _) -> template(rows))
                .list());
  }

  Template load(String userId, String id) {
    return db.read(handle -> find(handle, userId, id)).orElseThrow(() -> unknown(id));
  }

  private static Optional<Template> find(Handle handle, String userId, String id) {
    return handle
        .createQuery(COLUMNS + "where user_id = :user and id = :id")
        .bind("user", userId)
        .bind("id", id)
        .map((rows, _) -> template(rows))
        .findOne();
  }

  private static Template template(ResultSet rows) throws SQLException {
    return new Template(
        rows.getString("id"),
        rows.getString("name"),
        rows.getString("description"),
        rows.getString("body"),
        Optional.of(Instant.ofEpochMilli(rows.getLong("changed"))));
  }

  Template add(Actor actor, String name, String description, String text) {
    return db.write(
        handle -> {
          int existing =
              handle
                  .createQuery("select count(*) from job_template where user_id = :user")
                  .bind("user", actor.userId())
                  .mapTo(Integer.class)
                  .one();
          if (existing >= MOST) {
            throw new AppException(
                ErrorCode.CONFLICT, Message.of("error.too-many-templates", "most", MOST));
          }
          Template created =
              new Template(ids.next(), name, description, text, Optional.of(clock.instant()));
          put(handle, actor, created);
          record(handle, actor, "template.create", created.name());
          return created;
        });
  }

  Template replace(Actor actor, String id, String name, String description, String text) {
    return db.write(
        handle -> {
          var _ = find(handle, actor.userId(), id).orElseThrow(() -> unknown(id));
          handle.execute("delete from job_template where id = ?", id);
          Template changed =
              new Template(id, name, description, text, Optional.of(clock.instant()));
          put(handle, actor, changed);
          record(handle, actor, "template.change", changed.name());
          return changed;
        });
  }

  void delete(Actor actor, String id) {
    db.write(
        handle -> {
          Template before = find(handle, actor.userId(), id).orElseThrow(() -> unknown(id));
          handle.execute("delete from job_template where id = ?", id);
          record(handle, actor, "template.delete", before.name());
          return null;
        });
  }

  private static void put(Handle handle, Actor actor, Template template) {
    int added =
        handle.execute(
            "insert into job_template (id, user_id, name, description, body, changed)"
                + " values (?, ?, ?, ?, ?, ?) on conflict (user_id, name) do nothing",
            template.id(),
            actor.userId(),
            template.name(),
            template.description(),
            template.text(),
            template.changed().orElseThrow().toEpochMilli());
    if (added == 0) {
      throw new AppException(
          ErrorCode.NAME_TAKEN, Message.of("error.template-name-taken", "name", template.name()));
    }
  }

  private void record(Handle handle, Actor actor, String action, String name) {
    audit.record(handle, actor, action, "template:" + name, Map.of(), Map.of());
  }

  private static AppException unknown(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-template", "id", id));
  }
}
