package dev.trainyard.server.openpai;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.team.TeamService;
import dev.trainyard.server.user.Passwords;
import dev.trainyard.server.user.Profile;
import dev.trainyard.server.user.ProfileFields;
import dev.trainyard.server.user.ProfileService;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Users with all their properties in OpenPAI's API, combined from the platform's services. */
final class PaiUsers {
  private final UserService users;
  private final ProfileService profiles;
  private final TeamService teams;
  private final ClusterGroups clusters;
  private final Extension extension;
  private final Consumer<User> passwordChanged;

  PaiUsers(
      UserService users,
      ProfileService profiles,
      TeamService teams,
      Consumer<User> passwordChanged) {
    this.users = users;
    this.profiles = profiles;
    this.teams = teams;
    this.clusters = new ClusterGroups(teams);
    this.extension = new Extension(profiles);
    this.passwordChanged = passwordChanged;
  }

  /** Requested changes of a user; properties without a value stay unchanged. */
  record Changes(
      Optional<String> email,
      Optional<List<String>> virtualClusters,
      Optional<JsonNode> extension) {
    static final Changes NONE = new Changes(Optional.empty(), Optional.empty(), Optional.empty());

    static Changes of(Body body) {
      return new Changes(
          body.optionalText("email"), body.texts("virtualCluster"), body.object("extension"));
    }
  }

  Optional<User> find(String name) {
    return users.find(name);
  }

  List<Map<String, Object>> visibleTo(Caller caller) {
    return users.list().stream()
        .filter(user -> caller.admin() || user.id().equals(caller.userId()))
        .map(user -> view(caller, user))
        .toList();
  }

  Map<String, Object> view(Caller caller, User user) {
    Profile profile = profiles.load(user.id());
    boolean isOwner = user.id().equals(caller.userId()) && !caller.application();
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("username", user.name());
    view.put("email", profile.email());
    view.put("grouplist", teams.groupsOf(user.id()));
    view.put(
        "extension",
        isOwner ? extension.complete(user, profile) : extension.publicPart(user, profile));
    view.put("admin", user.admin());
    view.put("virtualCluster", List.copyOf(clusters.of(user)));
    view.put("storageConfig", List.copyOf(teams.storagesOf(user.id())));
    return view;
  }

  void create(Actor actor, String name, String password, boolean admin, Changes changes) {
    if (!UserService.isValidName(name)) {
      throw PaiException.invalid("\"username\" fails to match the required pattern");
    }
    check(Optional.of(password), changes);
    try {
      users.create(actor, name, password, admin);
    } catch (AppException e) {
      if (e.code() == ErrorCode.NAME_TAKEN) {
        throw new PaiException(409, "ConflictUserError", "User name " + name + " already exists.");
      }
      throw e;
    }
    apply(actor, users.load(name), changes);
  }

  /** Finds all problems before anything is changed. */
  private void check(Optional<String> password, Changes changes) {
    password
        .flatMap(Passwords::problem)
        .ifPresent(
            problem -> {
              throw PaiException.invalid("\"password\": " + problem.english());
            });
    changes
        .email()
        .flatMap(ProfileFields::emailProblem)
        .ifPresent(
            problem -> {
              throw PaiException.invalid("\"email\": " + problem.english());
            });
    changes.virtualClusters().ifPresent(clusters::check);
  }

  void change(
      Actor actor, User user, Changes changes, Optional<Boolean> admin, Optional<String> password) {
    check(password, changes);
    if (admin.isPresent() && admin.get() != user.admin()) {
      users.change(actor, user.name(), admin, Optional.empty());
    }
    if (password.isPresent()) {
      users.changePassword(actor, user, password.get());
      passwordChanged.accept(user);
    }
    apply(actor, user, changes);
  }

  private void apply(Actor actor, User user, Changes changes) {
    if (changes.email().isPresent()) {
      Profile profile = profiles.load(user.id());
      profiles.save(
          actor,
          user,
          new Profile(
              changes.email().get(),
              profile.displayName(),
              profile.language(),
              profile.extension()));
    }
    changes.virtualClusters().ifPresent(names -> clusters.grant(actor, user, names));
    changes.extension().ifPresent(value -> extension.merge(actor, user, value));
  }

  void delete(Actor actor, User user) {
    users.delete(actor, user.name());
  }

  void member(Actor actor, String group, User user, boolean add) {
    if (add) {
      teams.addMember(actor, group, user.name());
    } else {
      teams.removeMember(actor, group, user.name());
    }
  }

  void setGroups(Actor actor, User user, List<String> groups) {
    teams.setGroups(actor, user.name(), groups);
  }

  /**
   * Throws if the password is wrong: an open session must not be sufficient to take over the
   * account.
   */
  void requirePassword(User user, String password, String address) {
    users.requirePassword(user, password, address);
  }
}
