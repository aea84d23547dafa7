package dev.trainyard.server.user;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Access;
import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Fields;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.token.TokenKind;
import dev.trainyard.server.token.TokenService;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** {@code /api/v3/users}. */
public final class UserRoutes {
  private final UserService users;
  private final ProfileService profiles;
  private final TokenService tokens;
  private final Consumer<User> passwordChanged;
  private final Supplier<Map<String, List<String>>> groupsByUser;

  /**
   * @param passwordChanged called after the password of a user was changed
   * @param groupsByUser returns the names of the groups of each user, by user ID
   */
  public UserRoutes(
      UserService users,
      ProfileService profiles,
      TokenService tokens,
      Consumer<User> passwordChanged,
      Supplier<Map<String, List<String>>> groupsByUser) {
    this.users = users;
    this.profiles = profiles;
    this.tokens = tokens;
    this.passwordChanged = passwordChanged;
    this.groupsByUser = groupsByUser;
  }

  /**
   * A user as represented in the API. Fields that are null are omitted; lists of users contain
   * fewer fields than single users.
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record View(
      String name,
      boolean admin,
      boolean disabled,
      Instant created,
      String email,
      String displayName,
      String language,
      List<SshKeyRoutes.View> sshKeys,
      List<IdentityStore.Identity> identities,
      @JsonRawValue String extension,
      List<String> groups,
      Long lastActive,
      Long lastSignIn) {}

  private static View view(
      User user,
      Profile profile,
      List<SshKeyRoutes.View> keys,
      List<IdentityStore.Identity> identities,
      String extension) {
    return new View(
        user.name(),
        user.admin(),
        user.disabled(),
        user.created(),
        profile.email(),
        profile.displayName(),
        profile.language(),
        keys,
        identities,
        extension,
        null,
        null,
        null);
  }

  /** Returns the fields of a user in a list. */
  private static View view(
      User user, Profile profile, List<String> groups, Instant lastActive, Instant lastSignIn) {
    return new View(
        user.name(),
        user.admin(),
        user.disabled(),
        user.created(),
        profile.email(),
        profile.displayName(),
        profile.language(),
        null,
        null,
        null,
        groups,
        lastActive == null ? null : lastActive.toEpochMilli(),
        lastSignIn == null ? null : lastSignIn.toEpochMilli());
  }

  /**
   * Returns all fields of a single user. Only the user can read the extension, because clients
   * store private keys and tokens in it.
   */
  private View fullView(User user, Caller caller) {
    Profile profile = profiles.load(user.id());
    List<SshKeyRoutes.View> keys =
        profiles.keys(user.id()).stream().map(SshKeyRoutes.View::of).toList();
    boolean isSelf = user.id().equals(caller.userId()) && !caller.application();
    String extension = isSelf ? profile.extension() : null;
    return view(user, profile, keys, users.identities(user), extension);
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/users", Access.ADMIN, this::list);
    routes.add("POST", "/api/v3/users", Access.MANAGE, this::create);
    routes.add("GET", "/api/v3/users/:name", Access.USER, this::show);
    routes.add("PATCH", "/api/v3/users/:name", Access.PERSON, this::change);
    routes.add("DELETE", "/api/v3/users/:name", Access.MANAGE, this::delete);
    routes.add("PUT", "/api/v3/users/:name/password", Access.PERSON, this::changePassword);
  }

  private Map<String, List<View>> list(Request request) {
    Map<String, Profile> profilesById = profiles.loadAll();
    Map<String, List<String>> groups = groupsByUser.get();
    Map<String, Instant> lastActive = tokens.lastUsedByUser();
    Map<String, Instant> lastSignIn = tokens.lastSignInByUser();
    return Map.of(
        "users",
        users.list().stream()
            .map(
                user ->
                    view(
                        user,
                        profilesById.getOrDefault(user.id(), Profile.EMPTY),
                        groups.getOrDefault(user.id(), List.of()),
                        lastActive.get(user.id()),
                        lastSignIn.get(user.id())))
            .toList());
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    Optional<String> password = fields.optionalText("password");
    boolean admin = fields.optionalFlag("admin").orElse(false);
    fields
        .optionalText("name")
        .filter(requestedName -> !UserNameRules.isValid(requestedName))
        .ifPresent(requestedName -> fields.addProblem("name", Message.of("error.user-name")));
    password
        .flatMap(Passwords::problem)
        .ifPresent(problem -> fields.addProblem("password", problem));
    fields.check();
    String newPassword = password.orElseGet(users.passwords()::generate);
    User user = users.create(Actor.of(request), name, newPassword, admin);
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("name", user.name());
    response.put("admin", user.admin());
    response.put("disabled", user.disabled());
    response.put("created", user.created());
    if (password.isEmpty()) {
      response.put("password", newPassword);
    }
    return Reply.of(201, response);
  }

  private View show(Request request) {
    return fullView(users.loadVisible(request), request.caller());
  }

  /**
   * Changes fields of a user. Only administrators can change rights; the user can change the other
   * fields.
   */
  private View change(Request request) {
    User user = users.loadVisible(request);
    Fields fields = new Fields(request.json());
    Optional<Boolean> admin = fields.optionalFlag("admin");
    Optional<Boolean> disabled = fields.optionalFlag("disabled");
    ProfileFields profile = ProfileFields.of(fields);
    fields.check();
    boolean changesRights = admin.isPresent() || disabled.isPresent();
    if (changesRights && !request.caller().admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    if (!profile.isEmpty()) {
      profiles.change(Actor.of(request), user, profile);
    }
    User updated =
        changesRights ? users.change(Actor.of(request), user.name(), admin, disabled) : user;
    return fullView(updated, request.caller());
  }

  private Reply delete(Request request) {
    users.delete(Actor.of(request), users.load(request).name());
    return Reply.noContent();
  }

  private Reply changePassword(Request request) {
    User user = users.loadVisible(request);
    Caller caller = request.caller();
    boolean isOwn = user.id().equals(caller.userId());
    Fields fields = new Fields(request.json());
    Optional<String> oldPassword = fields.optionalText("old");
    Optional<String> newPassword = fields.optionalText("new");
    boolean revokeApplicationTokens = fields.optionalFlag("revokeTokens").orElse(false);
    if (isOwn && !isLocal(caller)) {
      fields.text("old");
    }
    if (isOwn) {
      fields.text("new");
    }
    newPassword.flatMap(Passwords::problem).ifPresent(problem -> fields.addProblem("new", problem));
    fields.check();
    if (isOwn && !isLocal(caller)) {
      requireOldPassword(user, oldPassword.orElse(""), request.remoteAddress());
    }
    String password = newPassword.orElseGet(users.passwords()::generate);
    users.changePassword(Actor.of(request), user, password, revokeApplicationTokens);
    passwordChanged.accept(user);
    return newPassword.isPresent()
        ? Reply.noContent()
        : Reply.of(200, Map.of("name", user.name(), "password", password));
  }

  /**
   * Requires the correct old password, so that an open session is not sufficient to take over the
   * account.
   */
  private void requireOldPassword(User user, String oldPassword, String remoteAddress) {
    try {
      users.requirePassword(user, oldPassword, remoteAddress);
    } catch (AppException e) {
      if (e.code() != ErrorCode.WRONG_CREDENTIALS) {
        throw e;
      }
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.old-password-wrong"));
    }
  }

  /**
   * Returns whether the caller uses the local token. Such a caller need not know the old password,
   * because the caller can read the data directory and therefore has full access anyway.
   */
  private boolean isLocal(Caller caller) {
    return tokens
        .find(caller.tokenId())
        .map(token -> token.kind() == TokenKind.LOCAL)
        .orElse(false);
  }
}
