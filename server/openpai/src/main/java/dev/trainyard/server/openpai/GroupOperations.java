package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.team.Group;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.UserService;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** {@code /groups}: lists and changes groups, their members and permissions. */
final class GroupOperations implements OpenPaiRoutes.Source {
  private static final Set<String> FIELDS =
      Set.of("groupname", "description", "externalName", "extension");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]+");

  private final TeamService teams;
  private final UserService users;

  GroupOperations(TeamService teams, UserService users) {
    this.teams = teams;
    this.users = users;
  }

  @Override
  public List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (String base : List.of("/groups", "/group")) {
      String group = base + "/:group";
      operations.add(v2("GET", base, Guard.TOKEN, this::list));
      operations.add(v2("GET", group, Guard.TOKEN, this::show));
      operations.add(v2("POST", base, Guard.ADMIN_PERSON, this::create));
      operations.add(v2("PUT", base, Guard.ADMIN_PERSON, this::change));
      operations.add(v2("DELETE", group, Guard.ADMIN_PERSON, this::delete));
      operations.add(v2("GET", group + "/userlist", Guard.ADMIN, this::members));
      operations.add(v2("PUT", group + "/extension", Guard.ADMIN_PERSON, this::changeExtension));
      operations.add(
          v2("PUT", group + "/extension/acls/:attribute", Guard.ADMIN_PERSON, this::changeAcl));
      operations.add(
          v2("PUT", group + "/description", Guard.ADMIN_PERSON, this::changeDescription));
      operations.add(
          v2("PUT", group + "/externalname", Guard.ADMIN_PERSON, this::changeExternalName));
    }
    return operations;
  }

  /**
   * Lists the caller's groups; other groups and their permissions are visible to administrators
   * only.
   */
  private Object list(PaiRequest request) {
    Predicate<Group> visible = visibleTo(request.caller());
    return teams.groups().stream().filter(visible).map(GroupOperations::view).toList();
  }

  private Predicate<Group> visibleTo(Caller caller) {
    Set<String> memberOf = Set.copyOf(teams.groupsOf(caller.userId()));
    return group -> caller.admin() || memberOf.contains(group.name());
  }

  private static Map<String, Object> view(Group group) {
    Map<String, Object> acls = new LinkedHashMap<>();
    acls.put("admin", group.admin());
    acls.put("virtualClusters", group.virtualClusters());
    acls.put("storageConfigs", group.storages());
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("groupname", group.name());
    view.put("description", group.description());
    view.put("externalName", group.externalName());
    view.put("extension", Map.of("acls", acls));
    return view;
  }

  private Object show(PaiRequest request) {
    String name = request.path("group");
    return teams
        .group(name)
        .filter(visibleTo(request.caller()))
        .map(GroupOperations::view)
        .orElseThrow(() -> noGroup(name, 400));
  }

  private Group group(String name, int statusIfAbsent) {
    return teams.group(name).orElseThrow(() -> noGroup(name, statusIfAbsent));
  }

  private static PaiException noGroup(String name, int status) {
    return new PaiException(status, "NoGroupError", "Group " + name + " is not found.");
  }

  private Object create(PaiRequest request) {
    Body body = Body.of(request, FIELDS);
    String name = body.text("groupname");
    if (!NAME.matcher(name).matches()) {
      throw PaiException.invalid("\"groupname\" fails to match the required pattern");
    }
    if (teams.group(name).isPresent()) {
      throw new PaiException(409, "ConflictGroupError", "Group " + name + " already exists.");
    }
    teams.createGroup(actor(request), changed(Group.named(name), body));
    return UserOperations.created("group is created successfully");
  }

  private static Actor actor(PaiRequest request) {
    return Actor.of(request.request());
  }

  private static Group changed(Group group, Body body) {
    Group result =
        group
            .withDescription(body.optionalText("description").orElse(group.description()))
            .withExternalName(body.optionalText("externalName").orElse(group.externalName()));
    Optional<JsonNode> extension = body.object("extension");
    return extension.isPresent() ? withExtension(result, new Body(extension.get())) : result;
  }

  /**
   * Returns the group with the permissions of a request. Other fields of the extension are ignored,
   * because groups have only names and permissions.
   */
  private static Group withExtension(Group group, Body extension) {
    Optional<JsonNode> acls = extension.object("acls");
    return acls.isPresent() ? withAcls(group, new Body(acls.get())) : group;
  }

  private static Group withAcls(Group group, Body acls) {
    return group
        .withAdmin(acls.flag("admin").orElse(group.admin()))
        .withVirtualClusters(acls.texts("virtualClusters").orElse(group.virtualClusters()))
        .withStorages(acls.texts("storageConfigs").orElse(group.storages()));
  }

  private Object change(PaiRequest request) {
    Body data = Body.data(request, FIELDS);
    if (!Body.isPatch(request)) {
      data.require("groupname", "description", "externalName", "extension");
    }
    return change(request, data.text("groupname"), data);
  }

  private Object change(PaiRequest request, String name, Body body) {
    group(name, 404);
    teams.changeGroup(actor(request), name, group -> changed(group, body));
    return UserOperations.created("update group " + name + " successfully");
  }

  private Object delete(PaiRequest request) {
    String name = group(request.path("group"), 404).name();
    teams.deleteGroup(actor(request), name);
    return Map.of("message", "group is removed successfully");
  }

  /**
   * Returns the members of a group. If the group does not exist, the list is empty, because clients
   * request members without knowing whether the group exists.
   */
  private Object members(PaiRequest request) {
    return teams.members(request.path("group")).stream()
        .map(
            name -> {
              Map<String, Object> view = new LinkedHashMap<>();
              view.put("username", name);
              view.put("clusterAdmin", users.find(name).map(user -> user.admin()).orElse(false));
              return view;
            })
        .toList();
  }

  private Object changeExtension(PaiRequest request) {
    return change(request, request.path("group"), Body.of(request, Set.of("extension")));
  }

  /** Changes one of the permissions, named in the path. */
  private Object changeAcl(PaiRequest request) {
    JsonNode value = Body.of(request, Set.of("data")).fields().path("data");
    String attribute = request.path("attribute");
    if (!Set.of("admin", "virtualClusters", "storageConfigs").contains(attribute)) {
      throw PaiException.invalid("\"" + attribute + "\" is not allowed");
    }
    Body acl = new Body(Json.MAPPER.createObjectNode().set(attribute, value));
    String name = group(request.path("group"), 404).name();
    teams.changeGroup(actor(request), name, group -> withAcls(group, acl));
    return UserOperations.created("update group " + name + " successfully");
  }

  private Object changeDescription(PaiRequest request) {
    return change(request, request.path("group"), Body.of(request, Set.of("description")));
  }

  private Object changeExternalName(PaiRequest request) {
    return change(request, request.path("group"), Body.of(request, Set.of("externalName")));
  }
}
