package dev.trainyard.server.oidc;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.session.SessionCookies;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;

/** A page of this server; the browser is signed in by cookies. */
final class PageSignInHandler implements SignInHandler {
  private static final int LONGEST = 2000;

  private final TokenService tokenService;

  PageSignInHandler(TokenService tokenService) {
    this.tokenService = tokenService;
  }

  /** A path of this server; {@code //host} and {@code /\host} are other servers to a browser. */
  @Override
  public boolean accepts(String to) {
    return to.startsWith("/")
        && !to.startsWith("//")
        && to.length() <= LONGEST
        && to.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
  }

  @Override
  public Reply arrived(String to, User user, Request request) {
    IssuedToken token = tokenService.issueSession(user.id(), user.name(), request.remoteAddress());
    return SessionCookies.add(
        Reply.of(302, null).with("Location", to),
        token.secret(),
        tokenService.sessionLifetime(),
        request.secure());
  }
}
