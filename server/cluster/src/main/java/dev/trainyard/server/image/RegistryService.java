package dev.trainyard.server.image;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The registries that administrators configured. Thread-safe. */
final class RegistryService {
  private static final String COLUMNS =
      "select host, plain_http, description, groups_json from registry ";

  private final Db db;
  private final Audit audit;

  RegistryService(Db db, Audit audit) {
    this.db = db;
    this.audit = audit;
  }

  /** Returns the registries that the caller may see. */
  List<Registry> list(Caller caller) {
    return db.read(
        handle -> {
          List<String> groups = groupsOf(handle, caller.userId());
          return handle
              .createQuery(COLUMNS + "order by host")
              .map((rows, _) -> registry(rows))
              .filter(found -> sees(caller, found, groups))
              .list();
        });
  }

  private static boolean sees(Caller caller, Registry registry, List<String> groups) {
    return caller.admin() || isFor(registry, groups);
  }

  private static boolean isFor(Registry registry, List<String> groups) {
    return registry.groups().isEmpty() || registry.groups().stream().anyMatch(groups::contains);
  }

  static List<String> groupsOf(Handle handle, String userId) {
    return handle
        .createQuery("select group_name from group_member where user_id = :user")
        .bind("user", userId)
        .mapTo(String.class)
        .list();
  }

  /** Returns a registry that the caller may see; other registries are reported as not found. */
  Registry load(Caller caller, String host) {
    return list(caller).stream()
        .filter(found -> found.host().equals(host))
        .findFirst()
        .orElseThrow(() -> unknown(host));
  }

  /** Returns whether an administrator configured the registry as one without TLS. */
  boolean isPlainHttp(String host) {
    return db.read(handle -> find(handle, host)).map(Registry::plainHttp).orElse(false);
  }

  /**
   * Returns whether only administrators may use a registry, unless it is configured for this user.
   * Docker Hub is never reserved: Docker contacts it, or its mirrors, regardless of what the server
   * can resolve.
   */
  boolean isReserved(String userId, String host) {
    boolean known =
        db.read(
            handle ->
                find(handle, host)
                    .filter(found -> isFor(found, groupsOf(handle, userId)))
                    .isPresent());
    return !known && !host.equals(ImageReference.DOCKER_HUB) && SsrfGuard.is(host);
  }

  Registry create(Actor actor, Registry registry) {
    return db.write(
        handle -> {
          if (find(handle, registry.host()).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN,
                Message.of("error.registry-taken", "registry", registry.host()));
          }
          for (String group : registry.groups()) {
            requireGroup(handle, group);
          }
          handle.execute(
              "insert into registry (host, plain_http, description, groups_json)"
                  + " values (?, ?, ?, ?)",
              registry.host(),
              registry.plainHttp() ? 1 : 0,
              registry.description(),
              text(registry.groups()));
          audit.record(
              handle, actor, "registry.create", target(registry), Map.of(), view(registry));
          return registry;
        });
  }

  static void requireGroup(Handle handle, String group) {
    boolean there =
        handle
            .createQuery("select 1 from team_group where name = :name")
            .bind("name", group)
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
    if (!there) {
      throw new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-group", "group", group));
    }
  }

  /** Deletes a registry. Logins for it are kept because they belong to their owners. */
  void delete(Actor actor, String host) {
    db.write(
        handle -> {
          Registry registry = find(handle, host).orElseThrow(() -> unknown(host));
          handle.execute("delete from registry where host = ?", registry.host());
          audit.record(
              handle, actor, "registry.delete", target(registry), view(registry), Map.of());
          return null;
        });
  }

  private static String target(Registry registry) {
    return "registry:" + registry.host();
  }

  private static Optional<Registry> find(Handle handle, String host) {
    return handle
        .createQuery(COLUMNS + "where host = :host")
        .bind("host", host)
        .map((rows, _) -> registry(rows))
        .findOne();
  }

  private static Registry registry(ResultSet rows) throws SQLException {
    return new Registry(
        rows.getString("host"),
        rows.getInt("plain_http") != 0,
        rows.getString("description"),
        texts(rows.getString("groups_json")));
  }

  static Map<String, Object> view(Registry registry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("host", registry.host());
    view.put("plainHttp", registry.plainHttp());
    view.put("description", registry.description());
    view.put("groups", registry.groups());
    return view;
  }

  /** Returns the stored form of a list. */
  static String text(List<String> texts) {
    try {
      return Json.MAPPER.writeValueAsString(texts);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  static List<String> texts(String stored) {
    try {
      return Json.MAPPER.readValue(stored, new TypeReference<>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored list is invalid", e);
    }
  }

  private static AppException unknown(String host) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-registry", "registry", host));
  }
}
