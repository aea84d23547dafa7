package dev.trainyard.server.oidc;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.session.SessionCookies;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;

/**
 * Completes the sign-in of a browser: sets the session cookies and redirects to a page of this
 * server.
 */
final class PageSignInHandler implements SignInHandler {
  private static final int MAX_ADDRESS_LENGTH = 2000;

  private final TokenService tokens;

  PageSignInHandler(TokenService tokens) {
    this.tokens = tokens;
  }

  /**
   * Accepts only paths of this server. Rejects {@code //host} and {@code /\host}, which browsers
   * treat as addresses of other servers.
   */
  @Override
  public boolean accepts(String target) {
    return target.startsWith("/")
        && !target.startsWith("//")
        && target.length() <= MAX_ADDRESS_LENGTH
        && target.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
  }

  @Override
  public Reply signedIn(String target, User user, Request request) {
    IssuedToken token = tokens.issueSession(user.id(), user.name(), request.remoteAddress());
    return SessionCookies.add(
        Reply.of(302, null).with("Location", target),
        token.secret(),
        tokens.sessionLifetime(),
        request.secure());
  }
}
