package dev.trainyard.server.team;

import dev.trainyard.model.Message;
import dev.trainyard.model.Node;
import dev.trainyard.scheduler.Quota;
import dev.trainyard.scheduler.UsageSnapshot;
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
import java.util.Set;
import java.util.function.Supplier;

/** {@code /api/v3/virtual-clusters}. */
public final class VirtualClusterRoutes {
  private final TeamService teams;
  private final Supplier<UsageSnapshot> usage;
  private final Supplier<List<Node>> nodes;

  /**
   * @param usage returns the current usage of all users and virtual clusters
   * @param nodes returns the current nodes
   */
  public VirtualClusterRoutes(
      TeamService teams, Supplier<UsageSnapshot> usage, Supplier<List<Node>> nodes) {
    this.teams = teams;
    this.usage = usage;
    this.nodes = nodes;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/virtual-clusters", Access.USER, this::list);
    routes.add("POST", "/api/v3/virtual-clusters", Access.MANAGE, this::create);
    routes.add("GET", "/api/v3/virtual-clusters/:vc", Access.USER, this::show);
    routes.add("PATCH", "/api/v3/virtual-clusters/:vc", Access.MANAGE, this::change);
    routes.add("DELETE", "/api/v3/virtual-clusters/:vc", Access.MANAGE, this::delete);
  }

  private Object list(Request request) {
    Set<String> granted = teams.virtualClustersOf(request.caller().userId());
    List<Group> groups = GroupRoutes.visible(teams, request.caller());
    UsageSnapshot snapshot = usage.get();
    return Map.of(
        "virtualClusters",
        teams.virtualClusters().stream()
            .filter(cluster -> request.caller().admin() || granted.contains(cluster.name()))
            .map(cluster -> VirtualClusterView.of(cluster, snapshot, nodes.get(), groups))
            .toList());
  }

  private Object show(Request request) {
    Caller caller = request.caller();
    VirtualCluster cluster = teams.loadVirtualCluster(request.path("vc"));
    if (!teams.mayUse(caller.userId(), caller.admin(), cluster.name())) {
      throw TeamService.noVirtualCluster(request.path("vc"));
    }
    return view(cluster, caller);
  }

  private Object view(VirtualCluster cluster, Caller caller) {
    List<Group> groups = GroupRoutes.visible(teams, caller);
    return VirtualClusterView.of(cluster, usage.get(), nodes.get(), groups);
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    fields
        .optionalText("name")
        .filter(clusterName -> !TeamNameRules.isValid(clusterName))
        .ifPresent(
            clusterName ->
                fields.addProblem("name", Message.of("error.vc-name", "name", clusterName)));
    VirtualCluster created = change(fields, new VirtualCluster(name, "", Quota.UNLIMITED));
    return Reply.of(
        201, view(teams.createVirtualCluster(Actor.of(request), created), request.caller()));
  }

  private Object change(Request request) {
    return view(
        teams.changeVirtualCluster(
            Actor.of(request),
            request.path("vc"),
            before -> change(new Fields(request.json()), before)),
        request.caller());
  }

  private static VirtualCluster change(Fields fields, VirtualCluster before) {
    Optional<String> description = fields.optionalText("description", GroupRoutes.MAX_TEXT_LENGTH);
    Quota quota =
        fields
            .optionalObject("quota")
            .map(patch -> LimitPatch.quota(fields, "quota", patch, before.quota()))
            .orElse(before.quota());
    fields.check();
    return new VirtualCluster(before.name(), description.orElse(before.description()), quota);
  }

  private Reply delete(Request request) {
    teams.deleteVirtualCluster(Actor.of(request), request.path("vc"));
    return Reply.noContent();
  }
}
