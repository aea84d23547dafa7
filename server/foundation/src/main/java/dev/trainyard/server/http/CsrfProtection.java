package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/**
 * Keeps other web sites from using a browser's cookie. The value in X-CSRF-Token is derived from
 * the session's token, so a cookie that somebody else planted does not fit.
 */
public final class CsrfProtection {
  public static final String SESSION_COOKIE = "trainyard_session";
  public static final String CSRF_COOKIE = "trainyard_csrf";

  private final Optional<URI> publicUrl;

  CsrfProtection(Optional<URI> publicUrl) {
    this.publicUrl = publicUrl;
  }

  /** What a page must send back with every request that changes something. */
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

  /** Refuses a request that is signed by a cookie and lacks what only our own page can know. */
  void checkCsrf(String method, String token, Headers headers) {
    if (isHarmless(method)) {
      return;
    }
    String given = headers.first("X-CSRF-Token").orElse("");
    boolean fits =
        MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8),
            csrfValue(token).getBytes(StandardCharsets.UTF_8));
    if (!fits) {
      throw refusal();
    }
  }

  /**
   * Refuses what a browser sends on behalf of another site, even without a cookie: otherwise that
   * site could sign somebody in as somebody else.
   */
  void checkOrigin(String method, Headers headers) {
    if (!isHarmless(method) && !fromOurPage(headers)) {
      throw refusal();
    }
  }

  /** Refuses whatever does not say that it comes from our own page. */
  void requireOurPage(Headers headers) {
    if (headers.first("Origin").isEmpty() || !fromOurPage(headers)) {
      throw refusal();
    }
  }

  /** Whether a request of this kind changes nothing. */
  static boolean isHarmless(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  private static AppException refusal() {
    return new AppException(ErrorCode.FORBIDDEN, Message.of("error.csrf"));
  }

  /** Browsers name the page a request comes from; where they do, it must be ours. */
  private boolean fromOurPage(Headers headers) {
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
            || authority.equals(publicUrl.map(URI::getAuthority)));
  }

  private static Optional<String> authority(String origin) {
    try {
      return Optional.ofNullable(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** A request's headers, by name. */
  @FunctionalInterface
  interface Headers {
    Optional<String> first(String name);
  }
}
