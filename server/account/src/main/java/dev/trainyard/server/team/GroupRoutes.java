package dev.trainyard.server.team;

import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** {@code /api/v3/groups}. */
public final class GroupRoutes {
  static final int MAX_TEXT_LENGTH = 2000;
  private static final int MAX_GRANTS = 1000;

  private final TeamService teams;

  public GroupRoutes(TeamService teams) {
    this.teams = teams;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/groups", Access.USER, this::list);
    routes.add("POST", "/api/v3/groups", Access.MANAGE, this::create);
    routes.add("GET", "/api/v3/groups/:group", Access.USER, this::show);
    routes.add("PATCH", "/api/v3/groups/:group", Access.MANAGE, this::change);
    routes.add("DELETE", "/api/v3/groups/:group", Access.MANAGE, this::delete);
    routes.add("GET", "/api/v3/groups/:group/members", Access.ADMIN, this::members);
    routes.add("PUT", "/api/v3/groups/:group/members/:user", Access.MANAGE, this::add);
    routes.add("DELETE", "/api/v3/groups/:group/members/:user", Access.MANAGE, this::remove);
  }

  private Object list(Request request) {
    return Map.of("groups", visible(teams, request.caller()).stream().map(GroupView::of).toList());
  }

  /**
   * Returns the groups that a caller can see: an administrator can see all groups, other users only
   * the groups of which they are members.
   */
  static List<Group> visible(TeamService teams, Caller caller) {
    List<Group> all = teams.groups();
    if (caller.admin()) {
      return all;
    }
    List<String> ownGroups = teams.groupsOf(caller.userId());
    return all.stream().filter(group -> ownGroups.contains(group.name())).toList();
  }

  private Object show(Request request) {
    Group group = teams.loadGroup(request.path("group"));
    if (!visible(teams, request.caller()).contains(group)) {
      throw TeamService.noGroup(request.path("group"));
    }
    return GroupView.of(group);
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    UnaryOperator<Group> change = change(fields);
    fields
        .optionalText("name")
        .filter(grantName -> !TeamNameRules.isValid(grantName))
        .ifPresent(
            grantName ->
                fields.addProblem("name", Message.of("error.group-name", "name", grantName)));
    Group group = change.apply(Group.named(name));
    fields.check();
    return Reply.of(201, GroupView.of(teams.createGroup(Actor.of(request), group)));
  }

  private Object change(Request request) {
    Fields fields = new Fields(request.json());
    UnaryOperator<Group> change = change(fields);
    return GroupView.of(
        teams.changeGroup(
            Actor.of(request),
            request.path("group"),
            before -> {
              Group after = change.apply(before);
              fields.check();
              return after;
            }));
  }

  private static UnaryOperator<Group> change(Fields fields) {
    Optional<String> description = fields.optionalText("description", MAX_TEXT_LENGTH);
    Optional<String> externalName = fields.optionalText("externalName", MAX_TEXT_LENGTH);
    Optional<Boolean> admin = fields.optionalFlag("admin");
    Optional<Boolean> sharesJobs = fields.optionalFlag("sharesJobs");
    Optional<List<String>> clusters = names(fields, "virtualClusters");
    Optional<List<String>> storages = names(fields, "storages");
    var limits = fields.optionalObject("limits");
    return before ->
        before
            .withDescription(description.orElse(before.description()))
            .withExternalName(externalName.orElse(before.externalName()))
            .withAdmin(admin.orElse(before.admin()))
            .withSharedJobs(sharesJobs.orElse(before.sharesJobs()))
            .withVirtualClusters(clusters.orElse(before.virtualClusters()))
            .withStorages(storages.orElse(before.storages()))
            .withLimits(
                limits
                    .map(patch -> LimitPatch.limits(fields, "limits", patch, before.limits()))
                    .orElse(before.limits()));
  }

  private static Optional<List<String>> names(Fields fields, String name) {
    Optional<List<String>> names = fields.optionalTexts(name, MAX_GRANTS);
    for (String grantName : names.orElse(List.of())) {
      if (!TeamNameRules.isValid(grantName)) {
        fields.addProblem(name, Message.of("error.grant-name", "name", grantName));
      }
    }
    return names;
  }

  private Reply delete(Request request) {
    teams.deleteGroup(Actor.of(request), request.path("group"));
    return Reply.noContent();
  }

  private Object members(Request request) {
    return Map.of("members", teams.members(teams.loadGroup(request.path("group")).name()));
  }

  private Reply add(Request request) {
    teams.addMember(Actor.of(request), request.path("group"), request.path("user"));
    return Reply.noContent();
  }

  private Reply remove(Request request) {
    teams.removeMember(Actor.of(request), request.path("group"), request.path("user"));
    return Reply.noContent();
  }
}
