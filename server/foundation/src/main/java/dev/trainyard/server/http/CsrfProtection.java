package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Prevents other web sites from using the session cookie of a browser. The value of X-CSRF-Token is
 * derived from the session token, so an attacker who can set cookies cannot produce a matching
 * value.
 */
public final class CsrfProtection {
  public static final String SESSION_COOKIE = "trainyard_session";
  public static final String CSRF_COOKIE = "trainyard_csrf";

  private final List<URI> publicUrls;

  CsrfProtection(List<URI> publicUrls) {
    this.publicUrls = publicUrls;
  }

  /**
   * Returns the value of X-CSRF-Token that a page must send with every request that changes
   * something.
   */
  public static String csrfValue(String token) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(("trainyard-csrf:" + token).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Rejects a request that changes something but lacks the value that only pages of this server
   * know. Called for requests that are authenticated by a cookie.
   */
  void checkCsrf(String method, String token, Headers headers) {
    if (isSafeMethod(method)) {
      return;
    }
    String sentValue = headers.first("X-CSRF-Token").orElse("");
    boolean matches =
        MessageDigest.isEqual(
            sentValue.getBytes(StandardCharsets.UTF_8),
            csrfValue(token).getBytes(StandardCharsets.UTF_8));
    if (!matches) {
      throw csrfError();
    }
  }

  /**
   * Rejects requests that change something and that a browser sends from another site, even without
   * a cookie. Without this check, another site could sign a user in to a different account.
   */
  void checkOrigin(String method, Headers headers) {
    if (!isSafeMethod(method) && !isFromOwnPage(headers)) {
      throw csrfError();
    }
  }

  /** Rejects requests that do not declare that they come from a page of this server. */
  void requireOwnPage(Headers headers) {
    if (headers.first("Origin").isEmpty() || !isFromOwnPage(headers)) {
      throw csrfError();
    }
  }

  /** Returns whether requests with this method change nothing. */
  static boolean isSafeMethod(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  private static AppException csrfError() {
    return new AppException(ErrorCode.FORBIDDEN, Message.of("error.csrf"));
  }

  /**
   * Returns whether the request comes from a page of this server, or has no origin. Browsers always
   * send the origin of a request that changes something; other clients do not.
   */
  private boolean isFromOwnPage(Headers headers) {
    if (headers.first("Sec-Fetch-Site").orElse("same-origin").equals("cross-site")) {
      return false;
    }
    Optional<String> origin = headers.first("Origin");
    if (origin.isEmpty()) {
      return true;
    }
    Optional<String> authority = authority(origin.get());
    return authority.isPresent()
        && (authority.equals(headers.first("Host"))
            || publicUrls.stream().anyMatch(url -> authority.get().equals(url.getAuthority())));
  }

  private static Optional<String> authority(String origin) {
    try {
      return Optional.ofNullable(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The headers of a request, by name. */
  @FunctionalInterface
  interface Headers {
    Optional<String> first(String name);
  }
}
