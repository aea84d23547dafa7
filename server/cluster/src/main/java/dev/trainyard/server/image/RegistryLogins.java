package dev.trainyard.server.image;

import dev.trainyard.engine.RegistryLogin;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.secret.LoginSecrets;
import dev.trainyard.server.secret.SealedSecrets;
import dev.trainyard.server.secret.UnreadableSecretsException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins for registries: users' own, and those that administrators gave to a group. No response
 * contains a password. Thread-safe.
 */
final class RegistryLogins {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryLogins.class);
  private static final String COLUMNS =
      "select id, host, group_name, account, key_id, sealed, created from registry_login ";

  private final Db db;
  private final LoginSecrets secrets;
  private final Audit audit;
  private final InstantSource clock;
  private final Ulid ids;

  RegistryLogins(Db db, LoginSecrets secrets, Audit audit, InstantSource clock) {
    this.db = db;
    this.secrets = secrets;
    this.audit = audit;
    this.clock = clock;
    this.ids = new Ulid(clock);
  }

  /**
   * Returns the caller's own logins and those of the caller's groups; administrators see those of
   * all groups.
   */
  List<StoredLogin> list(Caller caller) {
    return db.read(
        handle -> {
          List<String> groups = RegistryService.groupsOf(handle, caller.userId());
          return handle
              .createQuery(
                  COLUMNS + "where user_id = :user or group_name is not null order by host, id")
              .bind("user", caller.userId())
              .map((rows, _) -> login(rows))
              .filter(
                  found ->
                      found.group().isEmpty()
                          || caller.admin()
                          || groups.contains(found.group().get()))
              .list();
        });
  }

  /**
   * Stores a login, replacing an earlier one.
   *
   * @param group group that may use it; empty for the caller only
   */
  StoredLogin put(Actor actor, String host, Optional<String> group, RegistryLogin login) {
    return secrets.storing(
        () ->
            db.write(
                handle -> {
                  group.ifPresent(name -> RegistryService.requireGroup(handle, name));
                  String id = ids.next();
                  SealedSecrets sealed = secrets.seal(id, host, login.password());
                  Instant now = clock.instant();
                  StoredLogin stored = new StoredLogin(id, host, group, login.user(), now);
                  remove(handle, host, group, actor.userId());
                  handle.execute(
                      "insert into registry_login"
                          + " (id, host, user_id, group_name, account, key_id, sealed, created)"
                          + " values (?, ?, ?, ?, ?, ?, ?, ?)",
                      id,
                      host,
                      group.isPresent() ? null : actor.userId(),
                      group.orElse(null),
                      login.user(),
                      sealed.key(),
                      sealed.sealed(),
                      now.toEpochMilli());
                  audit.record(
                      handle, actor, "registry-login.set", target(stored), Map.of(), stored.view());
                  return stored;
                }));
  }

  private static void remove(Handle handle, String host, Optional<String> group, String user) {
    if (group.isPresent()) {
      handle.execute(
          "delete from registry_login where host = ? and group_name = ?", host, group.get());
    } else {
      handle.execute("delete from registry_login where host = ? and user_id = ?", host, user);
    }
  }

  void delete(Caller caller, Actor actor, String id) {
    StoredLogin login =
        list(caller).stream()
            .filter(found -> found.id().equals(id))
            .findFirst()
            .orElseThrow(() -> unknown(id));
    if (login.group().isPresent() && !caller.admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    db.write(
        handle -> {
          handle.execute("delete from registry_login where id = ?", id);
          audit.record(
              handle, actor, "registry-login.delete", target(login), login.view(), Map.of());
          return null;
        });
  }

  private static String target(StoredLogin login) {
    return "registry-login:" + login.host() + login.group().map(name -> "/" + name).orElse("");
  }

  /**
   * Returns the login of a user for a registry: the user's own, else that of one of the user's
   * groups.
   */
  Optional<RegistryLogin> find(String userId, String host) {
    return db
        .read(
            handle ->
                handle
                    .createQuery(
                        COLUMNS
                            + "where host = :host and (user_id = :user or group_name in (select"
                            + " group_name from group_member where user_id = :user)) order by case"
                            + " when group_name is null then 0 else 1 end, group_name")
                    .bind("host", host)
                    .bind("user", userId)
                    .map((rows, _) -> Map.entry(login(rows), sealed(rows)))
                    .list())
        .stream()
        .flatMap(found -> open(found.getKey(), found.getValue()).stream())
        .findFirst();
  }

  private Optional<RegistryLogin> open(StoredLogin login, SealedSecrets sealed) {
    try {
      String password = secrets.open(login.id(), login.host(), sealed);
      return Optional.of(new RegistryLogin(login.account(), password));
    } catch (UnreadableSecretsException e) {
      LOG.warn("failed to decrypt login {} for {}: {}", login.id(), login.host(), e.getMessage());
      return Optional.empty();
    }
  }

  private static SealedSecrets sealed(ResultSet rows) throws SQLException {
    return new SealedSecrets(rows.getString("key_id"), rows.getString("sealed"));
  }

  private static StoredLogin login(ResultSet rows) throws SQLException {
    return new StoredLogin(
        rows.getString("id"),
        rows.getString("host"),
        Optional.ofNullable(rows.getString("group_name")),
        rows.getString("account"),
        Instant.ofEpochMilli(rows.getLong("created")));
  }

  private static AppException unknown(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-registry-login", "id", id));
  }
}
