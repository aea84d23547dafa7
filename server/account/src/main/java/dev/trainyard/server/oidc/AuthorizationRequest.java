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
 * One way to the provider and back. All that must match at the end follows from one secret that
 * only the browser has, in a cookie: nothing is remembered here, so a restarted server, or another
 * one, can finish what this one began, and nobody can fill its memory.
 *
 * @param landing which {@link SignInHandler} it leads to
 * @param to where exactly; whoever lands checks it again, as it comes from the browser
 */
record AuthorizationRequest(String secret, String landing, String to) {
  private static final int BYTES = 32;
  private static final int LONGEST_COOKIE = 4000;
  private static final Pattern COOKIE =
      Pattern.compile("([A-Za-z0-9_-]{43})\\.([a-z]+)\\.([A-Za-z0-9_-]*)");
  private static final SecureRandom RANDOM = new SecureRandom();

  static AuthorizationRequest begin(String landing, String to) {
    byte[] secret = new byte[BYTES];
    RANDOM.nextBytes(secret);
    return new AuthorizationRequest(text(secret), landing, to);
  }

  /** As it came back in the cookie. */
  static Optional<AuthorizationRequest> parse(String cookie) {
    Matcher parts = COOKIE.matcher(cookie);
    if (cookie.length() > LONGEST_COOKIE || !parts.matches()) {
      return Optional.empty();
    }
    try {
      byte[] to = Base64.getUrlDecoder().decode(parts.group(3));
      return Optional.of(
          new AuthorizationRequest(parts.group(1), parts.group(2), new String(to, StandardCharsets.UTF_8)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String cookie() {
    return secret + "." + landing + "." + text(to.getBytes(StandardCharsets.UTF_8));
  }

  String state() {
    return derived("state");
  }

  String nonce() {
    return derived("nonce");
  }

  /** Of PKCE (RFC 7636): only who began can redeem the code. */
  String verifier() {
    return derived("verifier");
  }

  String challenge() {
    return challenge(verifier());
  }

  /** Of PKCE, method S256. */
  static String challenge(String verifier) {
    return text(sha256(verifier));
  }

  boolean fits(String givenState) {
    return MessageDigest.isEqual(
        state().getBytes(StandardCharsets.UTF_8), givenState.getBytes(StandardCharsets.UTF_8));
  }

  private String derived(String what) {
    return text(sha256("trainyard-oidc-" + what + ":" + secret));
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The secret opens a sign-in that is under way: not into a log. */
  @Override
  public String toString() {
    return "Visit[" + landing + "]";
  }
}
