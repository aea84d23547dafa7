package dev.trainyard.server.openpai;

import static dev.trainyard.server.openpai.Operation.v1;
import static dev.trainyard.server.openpai.Operation.v2;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.audit.Actor;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Server information, sign-in and sign-out. */
final class AuthnOperations implements OpenPaiRoutes.Source {
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9_.-]+");
  private static final int MIN_PASSWORD_LENGTH = 6;
  private static final int MIN_EXPIRATION_SECONDS = 60;
  private static final int MAX_EXPIRATION_SECONDS = 604_800;

  private final UserService users;
  private final TokenService tokens;
  private final boolean reportsUnknownUsers;
  private final boolean oidc;
  private final String version;

  /**
   * @param reportsUnknownUsers whether a failed sign-in reveals, as in OpenPAI, that the user name
   *     is unknown
   * @param oidc whether the server reports OpenID Connect as its sign-in method; users with a local
   *     password can still sign in with it, but OpenPAI reports only one method
   */
  AuthnOperations(
      UserService users,
      TokenService tokens,
      boolean reportsUnknownUsers,
      boolean oidc,
      String version) {
    this.users = users;
    this.tokens = tokens;
    this.reportsUnknownUsers = reportsUnknownUsers;
    this.oidc = oidc;
    this.version = version;
  }

  @Override
  public List<Operation> operations() {
    return List.of(
        v2("*", "", Guard.OPEN, _ -> Reply.of(200, "PAI RESTful API v2 (beta version)")),
        v2("*", "/info", Guard.OPEN, _ -> info()),
        v1("*", "", Guard.OPEN, _ -> info()),
        v2("GET", "/authn/info", Guard.OPEN, _ -> authnInfo()),
        v1("GET", "/authn/info", Guard.OPEN, _ -> authnInfo()),
        v2("POST", "/authn/basic/login", Guard.OPEN, this::login),
        v2("POST", "/tokens", Guard.OPEN, this::login),
        v2("POST", "/token", Guard.OPEN, this::login),
        v1("POST", "/authn/basic/login", Guard.OPEN, this::login),
        v1("POST", "/token", Guard.OPEN, this::login),
        v1("POST", "/tokens", Guard.OPEN, this::login),
        v2("DELETE", "/authn/basic/logout", Guard.PERSON, this::logout),
        v1("DELETE", "/authn/basic/logout", Guard.PERSON, this::logout));
  }

  private Map<String, String> info() {
    Map<String, String> info = new LinkedHashMap<>();
    info.put("name", "PAI RESTful API");
    info.put("version", version);
    info.put("launcherType", "k8s");
    info.put("authnMethod", oidc ? "OIDC" : "basic");
    return info;
  }

  private Map<String, String> authnInfo() {
    Map<String, String> info = new LinkedHashMap<>();
    info.put("authn_type", oidc ? "oidc" : "basic");
    info.put("loginURI", oidc ? "/api/v1/authn/oidc/login" : "/api/v1/authn/basic/login");
    info.put("loginURIMethod", oidc ? "get" : "post");
    return info;
  }

  private Object login(PaiRequest request) {
    JsonNode body = request.body();
    String name = JobOperations.text(body, "username");
    String password = JobOperations.text(body, "password");
    check(name, password, body);
    String address = request.request().remoteAddress();
    User user = signIn(name, password, address);
    Map<String, Object> response = new LinkedHashMap<>();
    response.put("user", user.name());
    response.put(
        "token", Jwt.of(tokens.issueSession(user.id(), user.name(), address), user.name()));
    response.put("admin", user.admin());
    response.put("hasGitHubPAT", false);
    return response;
  }

  private static void check(String name, String password, JsonNode body) {
    if (!USER.matcher(name).matches()) {
      throw PaiException.invalid("\"username\" fails to match the required pattern");
    }
    if (password.length() < MIN_PASSWORD_LENGTH) {
      throw PaiException.invalid(
          "\"password\" length must be at least " + MIN_PASSWORD_LENGTH + " characters long");
    }
    JsonNode expiration = body.get("expiration");
    if (expiration != null) {
      int seconds = expiration.asInt(-1);
      if (seconds < MIN_EXPIRATION_SECONDS || seconds > MAX_EXPIRATION_SECONDS) {
        throw PaiException.invalid(
            "\"expiration\" must be a number from %d to %d"
                .formatted(MIN_EXPIRATION_SECONDS, MAX_EXPIRATION_SECONDS));
      }
    }
  }

  private User signIn(String name, String password, String address) {
    try {
      return users.signIn(name, password, address);
    } catch (AppException e) {
      if (e.code() == ErrorCode.WRONG_CREDENTIALS
          && reportsUnknownUsers
          && users.find(name).isEmpty()) {
        throw PaiException.noUser(400, name);
      }
      throw e;
    }
  }

  private Object logout(PaiRequest request) {
    tokens.endSession(Actor.of(request.request()));
    return Map.of("message", "Logout successfully");
  }
}
