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
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins for registries: logins of users, and logins that administrators assigned to a group. No
 * response contains a password. Thread-safe.
 */
final class RegistryLogins {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryLogins.class);

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
   * Returns the caller's own logins and the logins of the caller's groups; for an administrator,
   * the logins of all groups.
   */
  List<StoredLogin> list(Caller caller) {
    return db.read(
        handle -> {
          List<String> groups = RegistryStore.groupsOf(handle, caller.userId());
          return RegistryLoginStore.list(handle, caller.userId()).stream()
              .filter(
                  candidate ->
                      candidate.group().isEmpty()
                          || caller.admin()
                          || groups.contains(candidate.group().get()))
              .toList();
        });
  }

  /**
   * Stores a login; replaces an existing login of the group or the caller for this registry.
   *
   * @param group group whose members may use the login; if empty, only the caller may use it
   */
  StoredLogin put(Actor actor, String host, Optional<String> group, RegistryLogin login) {
    return secrets.withStableKey(
        () ->
            db.write(
                handle -> {
                  group.ifPresent(name -> RegistryService.requireGroup(handle, name));
                  String id = ids.next();
                  SealedSecrets sealed = secrets.seal(id, host, login.password());
                  Instant now = clock.instant();
                  StoredLogin stored = new StoredLogin(id, host, group, login.user(), now);
                  RegistryLoginStore.put(handle, stored, actor.userId(), sealed);
                  audit.record(
                      handle, actor, "registry-login.set", target(stored), Map.of(), stored.view());
                  return stored;
                }));
  }

  void delete(Caller caller, Actor actor, String id) {
    StoredLogin login =
        list(caller).stream()
            .filter(candidate -> candidate.id().equals(id))
            .findFirst()
            .orElseThrow(() -> notFound(id));
    if (login.group().isPresent() && !caller.admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    db.write(
        handle -> {
          RegistryLoginStore.delete(handle, id);
          audit.record(
              handle, actor, "registry-login.delete", target(login), login.view(), Map.of());
          return null;
        });
  }

  private static String target(StoredLogin login) {
    return "registry-login:" + login.host() + login.group().map(name -> "/" + name).orElse("");
  }

  /**
   * Returns the login that a user may use for a registry: the user's own login, or if there is
   * none, a login of one of the user's groups.
   */
  Optional<RegistryLogin> find(String userId, String host) {
    return db.read(handle -> RegistryLoginStore.listUsable(handle, userId, host)).stream()
        .flatMap(candidate -> decrypt(candidate.login(), candidate.sealed()).stream())
        .findFirst();
  }

  private Optional<RegistryLogin> decrypt(StoredLogin login, SealedSecrets sealed) {
    try {
      String password = secrets.open(login.id(), login.host(), sealed);
      return Optional.of(new RegistryLogin(login.account(), password));
    } catch (UnreadableSecretsException e) {
      LOG.warn("failed to decrypt login {} for {}: {}", login.id(), login.host(), e.getMessage());
      return Optional.empty();
    }
  }

  private static AppException notFound(String id) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-registry-login", "id", id));
  }
}
