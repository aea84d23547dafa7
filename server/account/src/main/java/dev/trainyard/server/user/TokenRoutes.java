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
import dev.trainyard.server.http.Scope;
import dev.trainyard.server.token.ApplicationTokens;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code /api/v3/tokens} for the caller's own tokens, and {@code /api/v3/users/:name/tokens} for
 * administrators.
 */
public final class TokenRoutes {
  private static final int MAX_NAME_LENGTH = 100;
  private static final long MAX_LIFETIME_SECONDS = Duration.ofDays(3653).toSeconds();

  private final ApplicationTokens tokens;
  private final UserService users;

  public TokenRoutes(ApplicationTokens tokens, UserService users) {
    this.tokens = tokens;
    this.users = users;
  }

  public void addTo(Routes routes) {
    routes.add("GET", "/api/v3/tokens", Access.PERSON, this::listOwn);
    routes.add("POST", "/api/v3/tokens", Access.PERSON, this::create);
    routes.add("DELETE", "/api/v3/tokens/:id", Access.PERSON, this::revokeOwn);
    routes.add("GET", "/api/v3/users/:name/tokens", Access.MANAGE, this::list);
    routes.add("DELETE", "/api/v3/users/:name/tokens/:id", Access.MANAGE, this::revoke);
  }

  private Object listOwn(Request request) {
    return list(request.caller(), tokens.list(request.caller().userId()));
  }

  private Object list(Request request) {
    User user = users.load(request);
    return list(request.caller(), tokens.list(request.caller(), user.id(), user.name()));
  }

  private static Map<String, Object> list(Caller caller, List<TokenInfo> tokenInfos) {
    List<Map<String, Object>> views = tokenInfos.stream().map(info -> view(info, caller)).toList();
    return Map.of("tokens", views);
  }

  private Reply create(Request request) {
    Fields fields = new Fields(request.json());
    String requestedName = fields.text("name");
    String name = requestedName.strip();
    fields.optionalText("name", MAX_NAME_LENGTH);
    if (name.isEmpty() && !requestedName.isEmpty()) {
      fields.addProblem("name", Message.of("error.field-empty"));
    }
    String label = fields.optionalText("scope").orElse(Scope.ALL.label());
    Optional<Scope> scope = Scope.find(label);
    if (scope.isEmpty()) {
      fields.addProblem("scope", Message.of("error.not-a-scope", "value", label));
    }
    Optional<Duration> lifetime =
        fields.optionalNumber("expiresInSeconds", 1, MAX_LIFETIME_SECONDS).map(Duration::ofSeconds);
    fields.check();
    if (scope.orElseThrow() == Scope.METRICS && !request.caller().admin()) {
      throw new AppException(ErrorCode.FORBIDDEN, Message.of("error.admin-only"));
    }
    IssuedToken issued = tokens.create(Actor.of(request), name, scope.orElseThrow(), lifetime);
    Map<String, Object> response = view(issued.info(), request.caller());
    response.put("token", issued.secret());
    return Reply.of(201, response).with("Cache-Control", "no-store");
  }

  private Reply revokeOwn(Request request) {
    Caller caller = request.caller();
    tokens.revoke(Actor.of(request), caller.userId(), caller.userName(), request.path("id"));
    return Reply.noContent();
  }

  private Reply revoke(Request request) {
    User user = users.load(request);
    tokens.revoke(Actor.of(request), user.id(), user.name(), request.path("id"));
    return Reply.noContent();
  }

  private static Map<String, Object> view(TokenInfo info, Caller caller) {
    Map<String, Object> view = new LinkedHashMap<>();
    view.put("id", info.id());
    view.put("kind", info.kind().label());
    view.put("name", info.name());
    view.put("scope", info.scope().label());
    view.put("created", info.created());
    view.put("expires", info.expires().orElse(null));
    view.put("lastUsed", info.lastUsed());
    view.put("current", info.id().equals(caller.tokenId()));
    return view;
  }
}
