package dev.trainyard.server.openpai;

import dev.trainyard.model.AppException;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.oidc.SignInHandler;
import dev.trainyard.server.token.TokenService;
import dev.trainyard.server.user.User;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * Completes a sign-in by passing the token to a page in its URL. A page with the token can act as
 * the user, so only pages of origins that an administrator configured are allowed.
 */
final class TokenSignInHandler implements SignInHandler {
  static final String NAME = "openpai";
  private static final int MAX_ADDRESS_LENGTH = 2000;

  private final Set<String> origins;
  private final TokenService tokens;

  TokenSignInHandler(Set<String> origins, TokenService tokens) {
    this.origins = Set.copyOf(origins);
    this.tokens = tokens;
  }

  /**
   * Returns whether a URL belongs to one of the origins. Compares scheme, host and port completely,
   * because a host name that only begins like an allowed one can belong to another site.
   */
  static boolean isAllowed(String address, Set<String> origins) {
    boolean isPlainAscii =
        address.length() <= MAX_ADDRESS_LENGTH
            && address.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
    if (!isPlainAscii) {
      return false;
    }
    try {
      URI uri = URI.create(address);
      return uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawFragment() == null
          && origins.contains(uri.getScheme() + "://" + uri.getRawAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  @Override
  public boolean accepts(String to) {
    return isAllowed(to, origins);
  }

  @Override
  public Reply signedIn(String to, User user, Request request) {
    var session = tokens.issueSession(user.id(), user.name(), request.remoteAddress());
    String query =
        "user=%s&token=%s&admin=%s&hasGitHubPAT=false"
            .formatted(encoded(user.name()), Jwt.of(session, user.name()), user.admin());
    return redirect(withQuery(to, query));
  }

  @Override
  public Optional<Reply> failed(String to, AppException error) {
    return Optional.of(redirect(withQuery(to, "errorMessage=" + encoded(error.getMessage()))));
  }

  /**
   * Redirects to the page and prevents browsers from sending the page's URL, which contains the
   * token, as a referrer.
   */
  private static Reply redirect(String address) {
    return Reply.of(302, null).with("Location", address).with("Referrer-Policy", "no-referrer");
  }

  static String withQuery(String address, String query) {
    return address + (address.contains("?") ? "&" : "?") + query;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
