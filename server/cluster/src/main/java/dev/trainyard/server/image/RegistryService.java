package dev.trainyard.server.image;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.ImageReference;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.audit.Audit;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Caller;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** The registries that administrators configured. Thread-safe. */
final class RegistryService {
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
          List<String> groups = RegistryStore.groupsOf(handle, caller.userId());
          return RegistryStore.list(handle).stream()
              .filter(candidate -> isVisible(caller, candidate, groups))
              .toList();
        });
  }

  private static boolean isVisible(Caller caller, Registry registry, List<String> groups) {
    return caller.admin() || isGrantedTo(registry, groups);
  }

  private static boolean isGrantedTo(Registry registry, List<String> groups) {
    return registry.groups().isEmpty() || registry.groups().stream().anyMatch(groups::contains);
  }

  /** Returns a registry that the caller may see; other registries are reported as not found. */
  Registry load(Caller caller, String host) {
    return list(caller).stream()
        .filter(candidate -> candidate.host().equals(host))
        .findFirst()
        .orElseThrow(() -> notFound(host));
  }

  /** Returns whether an administrator configured the registry to use plain HTTP. */
  boolean isPlainHttp(String host) {
    return db.read(handle -> RegistryStore.find(handle, host))
        .map(Registry::plainHttp)
        .orElse(false);
  }

  /**
   * Returns whether this user must not use the registry. This applies to a registry that is not
   * configured for the user, and whose address is internal or cannot be resolved. Docker Hub is
   * never forbidden, because Docker contacts Docker Hub or a mirror even if the server cannot
   * resolve the name.
   */
  boolean isForbidden(String userId, String host) {
    boolean configured =
        db.read(
            handle ->
                RegistryStore.find(handle, host)
                    .filter(
                        candidate -> isGrantedTo(candidate, RegistryStore.groupsOf(handle, userId)))
                    .isPresent());
    return !configured && !host.equals(ImageReference.DOCKER_HUB) && SsrfGuard.isInternal(host);
  }

  Registry create(Actor actor, Registry registry) {
    return db.write(
        handle -> {
          if (RegistryStore.find(handle, registry.host()).isPresent()) {
            throw new AppException(
                ErrorCode.NAME_TAKEN,
                Message.of("error.registry-taken", "registry", registry.host()));
          }
          for (String group : registry.groups()) {
            requireGroup(handle, group);
          }
          RegistryStore.insert(handle, registry);
          audit.record(
              handle, actor, "registry.create", target(registry), Map.of(), view(registry));
          return registry;
        });
  }

  static void requireGroup(Handle handle, String group) {
    if (!RegistryStore.hasGroup(handle, group)) {
      throw new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-group", "group", group));
    }
  }

  /**
   * Deletes a registry. Keeps the logins for the registry, because they belong to users and groups.
   */
  void delete(Actor actor, String host) {
    db.write(
        handle -> {
          Registry registry = RegistryStore.find(handle, host).orElseThrow(() -> notFound(host));
          RegistryStore.delete(handle, registry.host());
          audit.record(
              handle, actor, "registry.delete", target(registry), view(registry), Map.of());
          return null;
        });
  }

  private static String target(Registry registry) {
    return "registry:" + registry.host();
  }

  static Map<String, Object> view(Registry registry) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("host", registry.host());
    view.put("plainHttp", registry.plainHttp());
    view.put("description", registry.description());
    view.put("groups", registry.groups());
    return view;
  }

  private static AppException notFound(String host) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-registry", "registry", host));
  }
}
