package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.TeamService;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code /storages}: the storages that the caller's groups grant. The first storage of each group
 * is a default storage. The address and the password of a storage are never returned.
 */
final class StorageOperations implements OpenPaiRoutes.Source {
  /**
   * The type that OpenPAI reports for a volume whose type it does not know. OpenPAI has one more
   * type without data, {@code other}, but OpenPAI's user profile page fails if it receives that
   * type.
   */
  private static final String UNDISCLOSED = "unknown";

  private final TeamService teams;

  StorageOperations(TeamService teams) {
    this.teams = teams;
  }

  @Override
  public List<Operation> operations() {
    return List.of(
        v2("GET", "/storages", Guard.TOKEN, this::list),
        v2("GET", "/storages/:storage", Guard.TOKEN, this::show),
        v2("GET", "/storage/config", Guard.TOKEN, this::configs),
        v2("GET", "/storage/config/:storage", Guard.TOKEN, this::config),
        v2("GET", "/storage/server", Guard.TOKEN, _ -> List.of()),
        v2("GET", "/storage/server/:storage", Guard.TOKEN, this::server));
  }

  private Set<String> defaults(Caller caller) {
    Set<String> defaults = new LinkedHashSet<>();
    for (String name : teams.groupsOf(caller.userId())) {
      teams.group(name).map(Group::storages).stream()
          .flatMap(storages -> storages.stream().limit(1))
          .forEach(defaults::add);
    }
    return defaults;
  }

  private Object list(PaiRequest request) {
    Set<String> defaults = defaults(request.caller());
    boolean onlyDefaults = request.flag("default");
    return Map.of(
        "storages",
        teams.storagesOf(request.caller().userId()).stream()
            .filter(name -> !onlyDefaults || defaults.contains(name))
            .map(
                name -> {
                  Map<String, Object> view = view(name);
                  view.put("default", defaults.contains(name));
                  return view;
                })
            .toList());
  }

  private static Map<String, Object> view(String name) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", name);
    view.put("share", true);
    view.put("volumeName", name);
    return view;
  }

  private String requireGranted(PaiRequest request) {
    String name = request.path("storage");
    if (!teams.storagesOf(request.caller().userId()).contains(name)) {
      throw new PaiException(404, "NoStorageError", "Storage " + name + " is not found.");
    }
    return name;
  }

  private Object show(PaiRequest request) {
    Map<String, Object> view = view(requireGranted(request));
    view.put("type", UNDISCLOSED);
    view.put("data", Map.of());
    return view;
  }

  private Object configs(PaiRequest request) {
    Set<String> defaults = defaults(request.caller());
    return teams.storagesOf(request.caller().userId()).stream()
        .map(name -> config(name, defaults.contains(name)))
        .toList();
  }

  private Object config(PaiRequest request) {
    String name = requireGranted(request);
    return config(name, defaults(request.caller()).contains(name));
  }

  private static Map<String, Object> config(String name, boolean isDefault) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("name", name);
    view.put("gpn", name);
    view.put("default", isDefault);
    view.put("servers", List.of());
    view.put("mountInfos", List.of());
    return view;
  }

  private Object server(PaiRequest request) {
    String name = request.path("storage");
    throw new PaiException(404, "NoStorageError", "Storage " + name + " is not found.");
  }
}
