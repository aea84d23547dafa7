package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;
import static dev.trainyard.server.openpai.Operation.v2;

import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.user.User;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** {@code /users}: lists, creates, changes and deletes users. */
final class UserOperations implements OpenPaiRoutes.Source {
  private static final Set<String> FIELDS =
      Set.of("username", "email", "virtualCluster", "admin", "password", "extension");
  private static final Set<String> OWN_FIELDS =
      Set.of("username", "email", "newPassword", "oldPassword", "extension");

  private final PaiUsers users;

  UserOperations(PaiUsers users) {
    this.users = users;
  }

  @Override
  public List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    operations.add(v1("GET", "/user/:user", Guard.TOKEN, this::show));
    for (String base : List.of("/users", "/user")) {
      String user = base + "/:user";
      operations.add(v2("GET", base, Guard.TOKEN, this::list));
      operations.add(v2("GET", user, Guard.TOKEN, this::show));
      operations.add(v2("POST", base, Guard.ADMIN_PERSON, this::create));
      operations.add(v2("PUT", base, Guard.ADMIN_PERSON, this::change));
      operations.add(v2("PUT", base + "/me", Guard.PERSON, this::changeOwn));
      operations.add(v2("DELETE", user, Guard.ADMIN_PERSON, this::delete));
      operations.add(
          v2("PUT", user + "/group", Guard.ADMIN_PERSON, request -> member(request, true)));
      operations.add(
          v2("DELETE", user + "/group", Guard.ADMIN_PERSON, request -> member(request, false)));
      operations.add(v2("PUT", user + "/grouplist", Guard.ADMIN_PERSON, this::setGroups));
      operations.add(v2("PUT", user + "/extension", Guard.PERSON, this::changeExtension));
      operations.add(v2("PUT", user + "/virtualcluster", Guard.ADMIN_PERSON, this::changeClusters));
      operations.add(v2("PUT", user + "/password", Guard.PERSON, this::changePassword));
      operations.add(v2("PUT", user + "/email", Guard.PERSON, this::changeEmail));
      operations.add(v2("PUT", user + "/admin", Guard.ADMIN_PERSON, this::changeAdmin));
    }
    return operations;
  }

  private Object list(PaiRequest request) {
    return users.visibleTo(request.caller());
  }

  private Object show(PaiRequest request) {
    return users.view(request.caller(), visible(request, 400));
  }

  /**
   * Returns a user; if the caller is not allowed to see the user, the error is the same as for a
   * user that does not exist.
   */
  private User visible(PaiRequest request, int statusIfAbsent) {
    String name = request.path("user");
    Caller caller = request.caller();
    return users
        .find(name)
        .filter(user -> caller.admin() || user.id().equals(caller.userId()))
        .orElseThrow(() -> PaiException.noUser(statusIfAbsent, name));
  }

  private User load(String name) {
    return users.find(name).orElseThrow(() -> PaiException.noUser(404, name));
  }

  static Reply created(String message) {
    return Reply.of(201, Map.of("message", message));
  }

  private static Actor actor(PaiRequest request) {
    return Actor.of(request.request());
  }

  private Object create(PaiRequest request) {
    Body body = Body.of(request, FIELDS);
    users.create(
        actor(request),
        body.text("username"),
        body.text("password"),
        body.flag("admin").orElse(false),
        PaiUsers.Changes.of(body));
    return created("User is created successfully");
  }

  private Object change(PaiRequest request) {
    Body data = Body.data(request, FIELDS);
    if (!Body.isPatch(request)) {
      data.require("username", "email", "virtualCluster", "admin", "password", "extension");
    }
    User user = load(data.text("username"));
    users.change(
        actor(request),
        user,
        PaiUsers.Changes.of(data),
        data.flag("admin"),
        data.optionalText("password"));
    return created("Update user " + user.name() + " successfully");
  }

  private Object changeOwn(PaiRequest request) {
    Body data = Body.data(request, OWN_FIELDS);
    Caller caller = request.caller();
    if (!data.text("username").equalsIgnoreCase(caller.userName())) {
      throw PaiException.forbidden("Can't update other user's data");
    }
    User user = load(caller.userName());
    Optional<String> password = data.optionalText("newPassword");
    if (password.isPresent()) {
      users.requirePassword(user, data.text("oldPassword"), request.request().remoteAddress());
    }
    users.change(actor(request), user, PaiUsers.Changes.of(data), Optional.empty(), password);
    return created("Update user " + user.name() + " successfully");
  }

  private Object delete(PaiRequest request) {
    User user = load(request.path("user"));
    if (user.admin()) {
      throw new PaiException(
          403, "RemoveAdminError", "Admin " + user.name() + " is not allowed to remove.");
    }
    users.delete(actor(request), user);
    return Map.of("message", "user is removed successfully");
  }

  private Object member(PaiRequest request, boolean add) {
    String group = Body.of(request, Set.of("groupname")).text("groupname");
    User user = load(request.path("user"));
    users.member(actor(request), group, user, add);
    return created(
        "User %s is %s group %s".formatted(user.name(), add ? "added in" : "removed from", group));
  }

  private Object setGroups(PaiRequest request) {
    Body body = Body.of(request, Set.of("grouplist"));
    body.require("grouplist");
    User user = load(request.path("user"));
    users.setGroups(actor(request), user, body.texts("grouplist").orElseThrow());
    return created("Update user " + user.name() + " group list successfully");
  }

  private Reply changed(PaiRequest request, User user, Body body) {
    users.change(
        actor(request), user, PaiUsers.Changes.of(body), body.flag("admin"), Optional.empty());
    return created("Update user " + user.name() + " successfully");
  }

  private Object changeExtension(PaiRequest request) {
    return changed(request, visible(request, 404), Body.of(request, Set.of("extension")));
  }

  private Object changeEmail(PaiRequest request) {
    return changed(request, visible(request, 404), Body.of(request, Set.of("email")));
  }

  private Object changeClusters(PaiRequest request) {
    User user = load(request.path("user"));
    return changed(request, user, Body.of(request, Set.of("virtualCluster")));
  }

  private Object changeAdmin(PaiRequest request) {
    User user = load(request.path("user"));
    return changed(request, user, Body.of(request, Set.of("admin")));
  }

  /** Changes a password. Administrators need the old password only for their own account. */
  private Object changePassword(PaiRequest request) {
    User user = visible(request, 404);
    Body body = Body.of(request, Set.of("oldPassword", "newPassword"));
    String password = body.text("newPassword");
    if (user.id().equals(request.caller().userId())) {
      users.requirePassword(user, body.text("oldPassword"), request.request().remoteAddress());
    }
    users.change(
        actor(request), user, PaiUsers.Changes.NONE, Optional.empty(), Optional.of(password));
    return created("Update user " + user.name() + " password successfully");
  }
}
