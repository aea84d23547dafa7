package dev.trainyard.server.session;

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
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenInfo;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;
import dev.trainyard.server.user.UserService;
import java.time.Instant;
import java.util.function.Predicate;

/** {@code /api/v3/sessions} and {@code /api/v3/me}. */
public final class SessionRoutes {
  private final UserService users;
  private final TokenService tokens;
  private final Predicate<String> seesTeamJobs;

  /**
   * @param seesTeamJobs returns whether the user with this ID can see jobs of other members of the
   *     user's groups
   */
  public SessionRoutes(UserService users, TokenService tokens, Predicate<String> seesTeamJobs) {
    this.users = users;
    this.tokens = tokens;
    this.seesTeamJobs = seesTeamJobs;
  }

  private record SignedIn(String token, String user, boolean admin, Instant expires) {}

  private record Me(String user, boolean admin, boolean team, TokenView token) {}

  private record TokenView(
      String id, String kind, String name, String scope, Instant created, Instant expires) {}

  public void addTo(Routes routes) {
    routes.add("POST", "/api/v3/sessions", Access.PUBLIC, this::signIn);
    routes.add("DELETE", "/api/v3/sessions/current", Access.PERSON, this::signOut);
    routes.add("GET", "/api/v3/me", Access.USER, this::me);
  }

  private Reply signIn(Request request) {
    Fields fields = new Fields(request.json());
    String name = fields.text("user");
    String password = fields.text("password");
    fields.check();
    User user = users.signIn(name, password, request.remoteAddress());
    IssuedToken token = tokens.issueSession(user.id(), user.name(), request.remoteAddress());
    SignedIn signedIn =
        new SignedIn(token.secret(), user.name(), user.admin(), token.expires().orElse(null));
    return SessionCookies.add(
        Reply.of(201, signedIn), token.secret(), tokens.sessionLifetime(), request.secure());
  }

  private Reply signOut(Request request) {
    tokens.endSession(Actor.of(request));
    return SessionCookies.remove(Reply.noContent(), request.secure());
  }

  private Me me(Request request) {
    Caller caller = request.caller();
    TokenInfo token =
        tokens
            .find(caller.tokenId())
            .orElseThrow(
                () ->
                    new AppException(
                        ErrorCode.SIGN_IN_REQUIRED, Message.of("error.sign-in-required")));
    TokenView view =
        new TokenView(
            token.id(),
            token.kind().label(),
            token.name(),
            token.scope().label(),
            token.created(),
            token.expires().orElse(null));
    return new Me(caller.userName(), caller.admin(), seesTeamJobs.test(caller.userId()), view);
  }
}
