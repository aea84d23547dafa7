package dev.trainyard.server.user;

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
import dev.trainyard.server.token.Tokens;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** {@code /api/v3/users}. */
public final class UserRoutes {
  private final UserService users;
  private final Tokens tokens;
  private final Consumer<User> passwordChanged;
  private final Consumer<User> deleted;

  /**
   * @param passwordChanged is told after somebody has a new password
   * @param deleted is told after somebody was deleted
   */
  public UserRoutes(
      UserService users, Tokens tokens, Consumer<User> passwordChanged, Consumer<User> deleted) {
    this.users = users;
    this.tokens = tokens;
    this.passwordChanged = passwordChanged;
    this.deleted = deleted;
  }

  /** A user as the API shows one. */
  record View(String name, boolean admin, boolean disabled, Instant created) {
    static View of(User user) {
      return new View(user.name(), user.admin(), user.disabled(), user.created());
    }
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/users", Access.ADMIN, this::list);
    routes.add("POST", "/api/v3/users", Access.MANAGE, this::create);
    routes.add("GET", "/api/v3/users/:name", Access.USER, this::show);
    routes.add("PATCH", "/api/v3/users/:name", Access.MANAGE, this::change);
    routes.add("DELETE", "/api/v3/users/:name", Access.MANAGE, this::delete);
    routes.add("PUT", "/api/v3/users/:name/password", Access.PERSON, this::changePassword);
  }

  private Map<String, List<View>> list(Request request) {
    return Map.of("users", users.list().stream().map(View::of).toList());
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("name");
    Optional<String> password = fields.optionalText("password");
    boolean admin = fields.optionalFlag("admin").orElse(false);
    fields
        .optionalText("name")
        .filter(given -> !Names.isValid(given))
        .ifPresent(given -> fields.problem("name", Message.of("error.user-name")));
    password.flatMap(Passwords::problem).ifPresent(problem -> fields.problem("password", problem));
    fields.check();
    String chosen = password.orElseGet(users.passwords()::generate);
    User user = users.create(Actor.of(request), name, chosen, admin);
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("name", user.name());
    answer.put("admin", user.admin());
    answer.put("disabled", user.disabled());
    answer.put("created", user.created());
    if (password.isEmpty()) {
      answer.put("password", chosen);
    }
    return Reply.of(201, answer);
  }

  private View show(Request request) {
    return View.of(visible(request));
  }

  private View change(Request request) {
    Fields fields = new Fields(request.json());
    Optional<Boolean> admin = fields.optionalFlag("admin");
    Optional<Boolean> disabled = fields.optionalFlag("disabled");
    fields.check();
    return View.of(users.change(Actor.of(request), request.path("name"), admin, disabled));
  }

  private Reply delete(Request request) {
    deleted.accept(users.delete(Actor.of(request), request.path("name")));
    return Reply.noContent();
  }

  private Reply changePassword(Request request) {
    User user = visible(request);
    Caller caller = request.caller();
    boolean own = user.id().equals(caller.userId());
    Fields fields = new Fields(request.json());
    Optional<String> old = fields.optionalText("old");
    Optional<String> chosen = fields.optionalText("new");
    if (own && !isLocal(caller)) {
      fields.text("old");
    }
    if (own) {
      fields.text("new");
    }
    chosen.flatMap(Passwords::problem).ifPresent(problem -> fields.problem("new", problem));
    fields.check();
    if (own && !isLocal(caller)) {
      requireOldPassword(user, old.orElse(""), request.remoteAddress());
    }
    String password = chosen.orElseGet(users.passwords()::generate);
    users.changePassword(Actor.of(request), user, password);
    passwordChanged.accept(user);
    return chosen.isPresent()
        ? Reply.noContent()
        : Reply.of(200, Map.of("name", user.name(), "password", password));
  }

  /** A session somebody left open must not be enough to take the account over. */
  private void requireOldPassword(User user, String old, String remoteAddress) {
    try {
      users.signIn(user.name(), old, remoteAddress);
    } catch (AppException e) {
      if (e.code() != ErrorCode.WRONG_CREDENTIALS) {
        throw e;
      }
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.old-password-wrong"));
    }
  }

  /** Whoever can read the data directory owns everything anyway, and may have lost the password. */
  private boolean isLocal(Caller caller) {
    return tokens
        .find(caller.tokenId())
        .map(token -> token.kind() == TokenKind.LOCAL)
        .orElse(false);
  }

  private User visible(Request request) {
    String name = request.path("name");
    User user = users.load(name);
    Caller caller = request.caller();
    if (!caller.admin() && !user.id().equals(caller.userId())) {
      throw UserService.unknown(name);
    }
    return user;
  }
}
