package dev.trainyard.server.template;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for users' own templates. */
final class TemplateStore {
  private static final String SELECT_TEMPLATES =
      "select id, name, description, body, changed from job_template ";

  /** Query for lists, without the texts: the texts of one user may total 25 MB. */
  private static final String SELECT_WITHOUT_TEXT =
      "select id, name, description, '' as body, changed from job_template ";

  private TemplateStore() {}

  /** Returns the templates of a user with empty texts. */
  static List<Template> listWithoutText(Handle handle, String userId) {
    return handle
        .createQuery(SELECT_WITHOUT_TEXT + "where user_id = :user order by name")
        .bind("user", userId)
        .map((rows, _) -> template(rows))
        .list();
  }

  static int count(Handle handle, String userId) {
    return handle
        .createQuery("select count(*) from job_template where user_id = :user")
        .bind("user", userId)
        .mapTo(Integer.class)
        .one();
  }

  static Optional<Template> find(Handle handle, String userId, String id) {
    return handle
        .createQuery(SELECT_TEMPLATES + "where user_id = :user and id = :id")
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

  /** Stores a template; returns false if the user already has a template of this name. */
  static boolean insert(Handle handle, String userId, Template template) {
    return handle.execute(
            "insert into job_template (id, user_id, name, description, body, changed)"
                + " values (?, ?, ?, ?, ?, ?) on conflict (user_id, name) do nothing",
            template.id(),
            userId,
            template.name(),
            template.description(),
            template.text(),
            template.changed().orElseThrow().toEpochMilli())
        > 0;
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from job_template where id = ?", id);
  }
}
