package dev.trainyard.server.team;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.scheduler.UsageSnapshot;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** {@code /api/v3/users/:name/limits}: limits and current usage of a user. */
public final class LimitRoutes {
  private final TeamService teams;
  private final Db db;
  private final Supplier<UsageSnapshot> usage;

  /**
   * @param usage returns the current usage of all users
   */
  public LimitRoutes(TeamService teams, Db db, Supplier<UsageSnapshot> usage) {
    this.teams = teams;
    this.db = db;
    this.usage = usage;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/users/:name/limits", Access.USER, this::show);
    routes.add("PATCH", "/api/v3/users/:name/limits", Access.MANAGE, this::change);
  }

  /** Returns the user name in the path; "me" means the caller. */
  private static String name(Request request) {
    String name = request.path("name");
    return name.equals("me") ? request.caller().userName() : name;
  }

  private Object show(Request request) {
    String name = name(request);
    Caller caller = request.caller();
    TeamUser user = db.read(handle -> TeamUserStore.load(handle, name));
    if (!caller.admin() && !user.id().equals(caller.userId())) {
      throw new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-user", "user", name));
    }
    return view(user);
  }

  private Object change(Request request) {
    String name = name(request);
    JsonNode patch = request.json();
    teams
        .limits()
        .change(
            Actor.of(request),
            name,
            before -> {
              Fields fields = new Fields(JsonNodeFactory.instance.objectNode());
              Limits after = LimitPatch.limits(fields, "", patch, before);
              fields.check();
              return after;
            });
    return view(db.read(handle -> TeamUserStore.load(handle, name)));
  }

  /** Returns the limits and the current usage of a user. */
  public Map<String, Object> viewOf(String name) {
    return view(db.read(handle -> TeamUserStore.load(handle, name)));
  }

  private Map<String, Object> view(TeamUser user) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("user", user.name());
    view.put("groups", teams.groupsOf(user.id()));
    view.put("virtualClusters", teams.virtualClustersOf(user.id()));
    view.put("own", StoredLimits.view(teams.limits().ownLimits(user.name())));
    Map<String, Object> effectiveLimits = new LinkedHashMap<>();
    Limits limits = teams.limits().of(user.id());
    for (Limit limit : Limit.values()) {
      limits.of(limit).ifPresent(value -> effectiveLimits.put(limit.label(), value));
    }
    view.put("limits", effectiveLimits);
    Map<String, Object> usageView = VirtualClusterView.usageView(usage.get().ofUser(user.name()));
    UnfinishedLoad.Load load = db.read(handle -> LimitStore.load(handle, user.id()));
    usageView.put(Limit.UNFINISHED_JOBS.label(), load.jobs());
    usageView.put(Limit.UNFINISHED_TASKS.label(), load.tasks());
    usageView.put(Limit.UNFINISHED_FILES.label(), load.bytes() >> 20);
    view.put("used", usageView);
    return view;
  }
}
