package dev.trainyard.server.team;

import dev.trainyard.model.Message;
import dev.trainyard.model.StorageMount;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.Map;
import java.util.Set;

/** {@code /api/v3/storages}. */
public final class StorageRoutes {
  private final StorageService storages;
  private final TeamService teams;

  public StorageRoutes(StorageService storages, TeamService teams) {
    this.storages = storages;
    this.teams = teams;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/storages", Access.USER, this::list);
    routes.add("POST", "/api/v3/storages", Access.MANAGE, this::create);
    routes.add("DELETE", "/api/v3/storages/:storage", Access.MANAGE, this::delete);
  }

  private Object list(Request request) {
    Set<String> granted = teams.storagesOf(request.caller().userId());
    return Map.of(
        "storages",
        storages.list().stream()
            .filter(storage -> request.caller().admin() || granted.contains(storage.name()))
            .map(StorageService::view)
            .toList());
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    String description = fields.optionalText("description", GroupRoutes.MAX_TEXT_LENGTH).orElse("");
    boolean readOnly = fields.optionalFlag("readOnly").orElse(false);
    boolean isDefault = fields.optionalFlag("default").orElse(false);
    fields
        .optionalText("name")
        .filter(storageName -> !StorageMount.isValidName(storageName))
        .ifPresent(
            storageName ->
                fields.addProblem("name", Message.of("error.storage-name", "name", storageName)));
    fields.check();
    Storage created =
        storages.create(Actor.of(request), new Storage(name, description, readOnly, isDefault));
    return Reply.of(201, StorageService.view(created));
  }

  private Reply delete(Request request) {
    storages.delete(Actor.of(request), request.path("storage"));
    return Reply.noContent();
  }
}
