package dev.trainyard.server.oidc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One authorization request to the provider. All values that must match when the browser returns
 * are derived from one secret, which only the browser stores, in a cookie. Because the server
 * stores nothing, a restarted server or another server can complete the sign-in, and clients cannot
 * fill the memory with unfinished sign-ins.
 *
 * @param handler name of the {@link SignInHandler} that completes the sign-in
 * @param target target within the handler, which must validate it again, because it comes from the
 *     browser
 */
record AuthorizationRequest(String secret, String handler, String target) {
  private static final int SECRET_BYTES = 32;
  private static final int MAX_COOKIE_LENGTH = 4000;
  private static final Pattern COOKIE =
      Pattern.compile("([A-Za-z0-9_-]{43})\\.([a-z]+)\\.([A-Za-z0-9_-]*)");
  private static final SecureRandom RANDOM = new SecureRandom();

  static AuthorizationRequest create(String handlerName, String target) {
    byte[] secret = new byte[SECRET_BYTES];
    RANDOM.nextBytes(secret);
    return new AuthorizationRequest(base64Url(secret), handlerName, target);
  }

  /** Parses the value of the cookie. */
  static Optional<AuthorizationRequest> parse(String cookie) {
    Matcher parts = COOKIE.matcher(cookie);
    if (cookie.length() > MAX_COOKIE_LENGTH || !parts.matches()) {
      return Optional.empty();
    }
    try {
      byte[] target = Base64.getUrlDecoder().decode(parts.group(3));
      return Optional.of(
          new AuthorizationRequest(
              parts.group(1), parts.group(2), new String(target, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String cookie() {
    return secret + "." + handler + "." + base64Url(target.getBytes(StandardCharsets.UTF_8));
  }

  String state() {
    return derive("state");
  }

  String nonce() {
    return derive("nonce");
  }

  /**
   * Returns the PKCE verifier (RFC 7636), which ensures that only the client that started the
   * request can redeem the code.
   */
  String verifier() {
    return derive("verifier");
  }

  String challenge() {
    return challenge(verifier());
  }

  /** Returns the PKCE challenge, method S256. */
  static String challenge(String verifier) {
    return base64Url(sha256(verifier));
  }

  boolean matches(String receivedState) {
    return MessageDigest.isEqual(
        state().getBytes(StandardCharsets.UTF_8), receivedState.getBytes(StandardCharsets.UTF_8));
  }

  private String derive(String purpose) {
    return base64Url(sha256("trainyard-oidc-" + purpose + ":" + secret));
  }

  private static byte[] sha256(String input) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(input.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64Url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * Omits the secret, because the result may be logged and the secret grants access to a sign-in in
   * progress.
   */
  @Override
  public String toString() {
    return "AuthorizationRequest[" + handler + "]";
  }
}
