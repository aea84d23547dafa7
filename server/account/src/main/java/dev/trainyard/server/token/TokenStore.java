package dev.trainyard.server.token;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Scope;
import dev.trainyard.server.team.AdministratorStore;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Table of tokens. */
final class TokenStore {
  private TokenStore() {}

  /** A token of a user who is not disabled. */
  record StoredToken(Caller caller, TokenKind kind, Optional<Instant> expires, Instant lastUsed) {}

  static void insert(Handle handle, String userId, String hash, TokenInfo info) {
    handle
        .createUpdate(
            "insert into token (id, user_id, hash, kind, name, scope, created, expires, last_used)"
                + " values (:id, :userId, :hash, :kind, :name, :scope, :created, :expires,"
                + " :created)")
        .bind("id", info.id())
        .bind("userId", userId)
        .bind("hash", hash)
        .bind("kind", info.kind().label())
        .bind("name", info.name())
        .bind("scope", info.scope().label())
        .bind("created", info.created().toEpochMilli())
        .bind("expires", info.expires().map(Instant::toEpochMilli).orElse(null))
        .execute();
  }

  static Optional<StoredToken> find(Handle handle, String hash) {
    return handle
        .createQuery(
            "select t.id, t.kind, t.scope, t.expires, t.last_used, u.id as user_id, u.name, "
                + AdministratorStore.IS_ADMIN
                + " as admin"
                + " from token t join users u on u.id = t.user_id"
                + " where t.hash = :hash and u.disabled = 0")
        .bind("hash", hash)
        .map((rows, context) -> storedToken(rows))
        .findOne();
  }

  static Optional<TokenInfo> findInfo(Handle handle, String id) {
    return handle
        .createQuery("select * from token where id = :id")
        .bind("id", id)
        .map((rows, context) -> readInfo(rows))
        .findOne();
  }

  static Optional<String> holder(Handle handle, String id) {
    return handle
        .createQuery("select user_id from token where id = :id")
        .bind("id", id)
        .mapTo(String.class)
        .findOne();
  }

  static List<TokenInfo> listOf(Handle handle, String userId, Instant now) {
    return handle
        .createQuery(
            "select * from token where user_id = :user and (expires is null or expires > :now)"
                + " order by id desc")
        .bind("user", userId)
        .bind("now", now.toEpochMilli())
        .map((rows, context) -> readInfo(rows))
        .list();
  }

  static int count(Handle handle, String userId, TokenKind kind) {
    return handle
        .createQuery("select count(*) from token where user_id = :user and kind = :kind")
        .bind("user", userId)
        .bind("kind", kind.label())
        .mapTo(Integer.class)
        .one();
  }

  static void markUsed(Handle handle, String id, Instant now, Optional<Instant> expires) {
    handle
        .createUpdate("update token set last_used = :now, expires = :expires where id = :id")
        .bind("now", now.toEpochMilli())
        .bind("expires", expires.map(Instant::toEpochMilli).orElse(null))
        .bind("id", id)
        .execute();
  }

  static void delete(Handle handle, String id) {
    handle.execute("delete from token where id = ?", id);
  }

  static void deleteExpired(Handle handle, Instant now) {
    handle.execute("delete from token where expires < ?", now.toEpochMilli());
  }

  /** Deletes all other tokens of the same kind, of all users. */
  static void deleteOthers(Handle handle, TokenInfo keptToken) {
    handle.execute(
        "delete from token where kind = ? and id <> ?", keptToken.kind().label(), keptToken.id());
  }

  static void deleteOf(Handle handle, String userId) {
    handle.execute("delete from token where user_id = ?", userId);
  }

  static void deleteOthersOf(Handle handle, String userId, String exceptId) {
    handle.execute("delete from token where user_id = ? and id <> ?", userId, exceptId);
  }

  static void deleteSessionsOf(Handle handle, String userId, String exceptId) {
    handle.execute(
        "delete from token where user_id = ? and kind = 'session' and id <> ?", userId, exceptId);
  }

  /**
   * Deletes the other sessions of a user above a limit. Deletes first the sessions that were used
   * only right after they were created, for example by a program that signs in for each request,
   * and then the sessions that have been unused longest.
   */
  static void deleteSessionsAbove(Handle handle, String userId, String keptId, int limit) {
    handle
        .createUpdate(
            "delete from token where user_id = :user and kind = 'session' and id <> :kept"
                + " and id not in (select id from token"
                + " where user_id = :user and kind = 'session' and id <> :kept"
                + " order by case when last_used > created then 0 else 1 end,"
                + " last_used desc, id desc limit :limit)")
        .bind("user", userId)
        .bind("kept", keptId)
        .bind("limit", limit - 1)
        .execute();
  }

  private static TokenInfo readInfo(ResultSet rows) throws SQLException {
    return new TokenInfo(
        rows.getString("id"),
        kind(rows),
        rows.getString("name"),
        scope(rows),
        Instant.ofEpochMilli(rows.getLong("created")),
        expires(rows),
        Instant.ofEpochMilli(rows.getLong("last_used")));
  }

  private static StoredToken storedToken(ResultSet rows) throws SQLException {
    TokenKind kind = kind(rows);
    Caller caller =
        new Caller(
            rows.getString("user_id"),
            rows.getString("name"),
            rows.getInt("admin") != 0,
            rows.getString("id"),
            scope(rows),
            kind == TokenKind.APPLICATION,
            "",
            "",
            kind == TokenKind.LOCAL);
    return new StoredToken(
        caller, kind, expires(rows), Instant.ofEpochMilli(rows.getLong("last_used")));
  }

  /** Returns the scope of a token; an unknown value grants read access only. */
  private static Scope scope(ResultSet rows) throws SQLException {
    return Scope.find(rows.getString("scope")).orElse(Scope.READ);
  }

  private static TokenKind kind(ResultSet rows) throws SQLException {
    return TokenKind.valueOf(rows.getString("kind").toUpperCase(Locale.ROOT));
  }

  private static Optional<Instant> expires(ResultSet rows) throws SQLException {
    long millis = rows.getLong("expires");
    return rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  static void recordSignIn(Handle handle, String userId, Instant now) {
    handle.execute("update users set last_sign_in = ? where id = ?", now.toEpochMilli(), userId);
  }

  /**
   * Returns the time of the last sign-in of each user, by user ID. Users who have never signed in
   * are omitted.
   */
  static Map<String, Instant> lastSignInByUser(Handle handle) {
    return timesByUser(
        handle,
        "select id as user_id, last_sign_in as time from users where last_sign_in is not null");
  }

  /** Returns the time at which any existing token of a user was last used, by user ID. */
  static Map<String, Instant> lastUsedByUser(Handle handle) {
    return timesByUser(
        handle, "select user_id, max(last_used) as time from token group by user_id");
  }

  private static Map<String, Instant> timesByUser(Handle handle, String sql) {
    Map<String, Instant> times = new HashMap<>();
    handle
        .createQuery(sql)
        .map(
            (rows, _) ->
                Map.entry(rows.getString("user_id"), Instant.ofEpochMilli(rows.getLong("time"))))
        .forEach(entry -> times.put(entry.getKey(), entry.getValue()));
    return times;
  }
}
