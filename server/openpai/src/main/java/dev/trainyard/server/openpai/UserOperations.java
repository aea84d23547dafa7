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

/** {@code /users}. */
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
    List<Operation> all = new ArrayList<>();
    all.add(v1("GET", "/user/:user", Guard.TOKEN, this::show));
    for (String base : List.of("/users", "/user")) {
      String one = base + "/:user";
      all.add(v2("GET", base, Guard.TOKEN, this::list));
      all.add(v2("GET", one, Guard.TOKEN, this::show));
      all.add(v2("POST", base, Guard.ADMIN_PERSON, this::create));
      all.add(v2("PUT", base, Guard.ADMIN_PERSON, this::change));
      all.add(v2("PUT", base + "/me", Guard.PERSON, this::changeOwn));
      all.add(v2("DELETE", one, Guard.ADMIN_PERSON, this::delete));
      all.add(v2("PUT", one + "/group", Guard.ADMIN_PERSON, request -> member(request, true)));
      all.add(v2("DELETE", one + "/group", Guard.ADMIN_PERSON, request -> member(request, false)));
      all.add(v2("PUT", one + "/grouplist", Guard.ADMIN_PERSON, this::setGroups));
      all.add(v2("PUT", one + "/extension", Guard.PERSON, this::changeExtension));
      all.add(v2("PUT", one + "/virtualcluster", Guard.ADMIN_PERSON, this::changeClusters));
      all.add(v2("PUT", one + "/password", Guard.PERSON, this::changePassword));
      all.add(v2("PUT", one + "/email", Guard.PERSON, this::changeEmail));
      all.add(v2("PUT", one + "/admin", Guard.ADMIN_PERSON, this::changeAdmin));
    }
    return all;
  }

  private Object list(PaiRequest request) {
    return users.visibleTo(request.caller());
  }

  private Object show(PaiRequest request) {
    return users.view(request.caller(), visible(request, 400));
  }

  /** Returns a user; users whom the caller may not see are reported as not found. */
  private User visible(PaiRequest request, int otherwise) {
    String name = request.path("user");
    Caller caller = request.caller();
    return users
        .find(name)
        .filter(user -> caller.admin() || user.id().equals(caller.userId()))
        .orElseThrow(() -> PaiException.noUser(otherwise, name));
  }

  private User known(String name) {
    return users.find(name).orElseThrow(() -> PaiException.noUser(404, name));
  }

  static Reply made(String message) {
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
    return made("User is created successfully");
  }

  private Object change(PaiRequest request) {
    Body data = Body.data(request, FIELDS);
    if (!Body.isPatch(request)) {
      data.require("username", "email", "virtualCluster", "admin", "password", "extension");
    }
    User user = known(data.text("username"));
    users.change(
        actor(request),
        user,
        PaiUsers.Changes.of(data),
        data.flag("admin"),
        data.optionalText("password"));
    return made("Update user " + user.name() + " successfully");
  }

  private Object changeOwn(PaiRequest request) {
    Body data = Body.data(request, OWN_FIELDS);
    Caller caller = request.caller();
    if (!data.text("username").equalsIgnoreCase(caller.userName())) {
      throw PaiException.forbidden("Can't update other user's data");
    }
    User user = known(caller.userName());
    Optional<String> password = data.optionalText("newPassword");
    if (password.isPresent()) {
      users.requirePassword(user, data.text("oldPassword"), request.request().remoteAddress());
    }
    users.change(actor(request), user, PaiUsers.Changes.of(data), Optional.empty(), password);
    return made("Update user " + user.name() + " successfully");
  }

  private Object delete(PaiRequest request) {
    User user = known(request.path("user"));
    if (user.admin()) {
      throw new PaiException(
          403, "RemoveAdminError", "Admin " + user.name() + " is not allowed to remove.");
    }
    users.delete(actor(request), user);
    return Map.of("message", "user is removed successfully");
  }

  private Object member(PaiRequest request, boolean add) {
    String group = Body.of(request, Set.of("groupname")).text("groupname");
    User user = known(request.path("user"));
    users.member(actor(request), group, user, add);
    return made(
        "User %s is %s group %s".formatted(user.name(), add ? "added in" : "removed from", group));
  }

  private Object setGroups(PaiRequest request) {
    Body body = Body.of(request, Set.of("grouplist"));
    body.require("grouplist");
    User user = known(request.path("user"));
    users.setGroups(actor(request), user, body.texts("grouplist").orElseThrow());
    return made("Update user " + user.name() + " group list successfully");
  }

  private Reply changed(PaiRequest request, User user, Body body) {
    users.change(
        actor(request), user, PaiUsers.Changes.of(body), body.flag("admin"), Optional.empty());
    return made("Update user " + user.name() + " successfully");
  }

  private Object changeExtension(PaiRequest request) {
    return changed(request, visible(request, 404), Body.of(request, Set.of("extension")));
  }

  private Object changeEmail(PaiRequest request) {
    return changed(request, visible(request, 404), Body.of(request, Set.of("email")));
  }

  private Object changeClusters(PaiRequest request) {
    User user = known(request.path("user"));
    return changed(request, user, Body.of(request, Set.of("virtualCluster")));
  }

  private Object changeAdmin(PaiRequest request) {
    User user = known(request.path("user"));
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
    return made("Update user " + user.name() + " password successfully");
  }
}
