package dev.trainyard.server.signup;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for requests of users. */
final class UserRequestStore {
  private static final String SELECT =
      "select r.*, u.name as user_name from user_request r join users u on u.id = r.user_id";

  private UserRequestStore() {}

  static int countOpen(Handle handle) {
    return handle
        .createQuery("select count(*) from user_request where state = 'open'")
        .mapTo(Integer.class)
        .one();
  }

  static int countOpen(Handle handle, String userId) {
    return handle
        .createQuery("select count(*) from user_request where user_id = :user and state = 'open'")
        .bind("user", userId)
        .mapTo(Integer.class)
        .one();
  }

  static void insert(
      Handle handle,
      String id,
      String userId,
      String kind,
      String subject,
      String reason,
      Instant now) {
    handle.execute(
        "insert into user_request (id, user_id, kind, what, reason, state, word, created)"
            + " values (?, ?, ?, ?, ?, 'open', '', ?)",
        id,
        userId,
        kind,
        subject,
        reason,
        now.toEpochMilli());
  }

  /** Returns requests, newest first; {@link UserRequests#list} describes the parameters. */
  static List<UserRequest> list(
      Handle handle,
      Optional<String> userId,
      Optional<String> state,
      Optional<String> before,
      int limit) {
    String where =
        " where 1 = 1"
            + (userId.isPresent() ? " and r.user_id = :user" : "")
            + (state.isPresent() ? " and r.state = :state" : "")
            + (before.isPresent() ? " and r.id < :before" : "");
    var query =
        handle
            .createQuery(SELECT + where + " order by r.id desc limit :limit")
            .bind("limit", limit);
    userId.ifPresent(user -> query.bind("user", user));
    state.ifPresent(stateName -> query.bind("state", stateName));
    before.ifPresent(id -> query.bind("before", id));
    return query.map((rows, context) -> request(rows)).list();
  }

  static Optional<UserRequest> find(Handle handle, String id) {
    return handle
        .createQuery(SELECT + " where r.id = :id")
        .bind("id", id)
        .map((rows, context) -> request(rows))
        .findOne();
  }

  /** Stores a decision. Returns false, and changes nothing, if the request is not open. */
  static boolean decide(
      Handle handle, String id, String state, String adminMessage, Instant now, String decidedBy) {
    return handle.execute(
            "update user_request set state = ?, word = ?, decided = ?, decided_by = ?"
                + " where id = ? and state = 'open'",
            state,
            adminMessage,
            now.toEpochMilli(),
            decidedBy,
            id)
        > 0;
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from user_request where id = ?", id);
  }

  private static UserRequest request(ResultSet rows) throws SQLException {
    long decided = rows.getLong("decided");
    Optional<Instant> decidedAt =
        rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(decided));
    return new UserRequest(
        rows.getString("id"),
        rows.getString("user_id"),
        rows.getString("user_name"),
        rows.getString("kind"),
        rows.getString("what"),
        rows.getString("reason"),
        rows.getString("state"),
        rows.getString("word"),
        Instant.ofEpochMilli(rows.getLong("created")),
        decidedAt,
        rows.getString("decided_by"));
  }
}
