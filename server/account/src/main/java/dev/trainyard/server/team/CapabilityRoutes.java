package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.Capability;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code /api/v3/capabilities}, and the capabilities of users and virtual clusters. */
public final class CapabilityRoutes {
  private static final String OF_USER = "/api/v3/users/:name/capabilities/:capability";
  private static final String OF_CLUSTER = "/api/v3/virtual-clusters/:vc/capabilities/:capability";

  private final TeamService teams;
  private final CapabilityService capabilities;

  public CapabilityRoutes(TeamService teams) {
    this.teams = teams;
    this.capabilities = teams.capabilities();
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/capabilities", Access.USER, this::list);
    routes.add("PUT", OF_USER, Access.MANAGE, this::grantToUser);
    routes.add("DELETE", OF_USER, Access.MANAGE, this::revokeFromUser);
    routes.add("PUT", OF_CLUSTER, Access.MANAGE, this::grantToCluster);
    routes.add("DELETE", OF_CLUSTER, Access.MANAGE, this::revokeFromCluster);
  }

  private Object list(Request request) {
    Caller caller = request.caller();
    Set<String> clusters = teams.virtualClustersOf(caller.userId());
    List<Map<String, Object>> grants =
        capabilities.list().stream()
            .filter(
                grant ->
                    caller.admin()
                        || grant.user().equals(caller.userName())
                        || clusters.contains(grant.virtualCluster()))
            .map(CapabilityGrant::view)
            .toList();
    Map<String, Object> response = new LinkedHashMap<>();
    response.put(
        "grantable",
        Arrays.stream(Capability.values())
            .map(
                capability ->
                    Map.of(
                        "name", capability.name(), "powerOverMachine", capability.controlsNode()))
            .toList());
    response.put("grants", grants);
    return response;
  }

  private static Capability capability(Request request) {
    String text = request.path("capability");
    return Capability.find(text)
        .orElseThrow(
            () ->
                new AppException(
                    ErrorCode.NOT_FOUND,
                    Message.of("error.no-capability", "name", text)
                        .with("known", Capability.names())));
  }

  /** Returns the user name in the path; "me" means the caller. */
  private static String user(Request request) {
    String name = request.path("name");
    return name.equals("me") ? request.caller().userName() : name;
  }

  private Reply grantToUser(Request request) {
    capabilities.grantToUser(Actor.of(request), user(request), capability(request));
    return Reply.noContent();
  }

  private Reply revokeFromUser(Request request) {
    capabilities.revokeFromUser(Actor.of(request), user(request), capability(request));
    return Reply.noContent();
  }

  private Reply grantToCluster(Request request) {
    capabilities.grantToVirtualCluster(Actor.of(request), request.path("vc"), capability(request));
    return Reply.noContent();
  }

  private Reply revokeFromCluster(Request request) {
    capabilities.revokeFromVirtualCluster(
        Actor.of(request), request.path("vc"), capability(request));
    return Reply.noContent();
  }
}
