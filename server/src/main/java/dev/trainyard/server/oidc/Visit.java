package dev.trainyard.server.oidc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * One way to the provider and back. All that must match at the end follows from one secret that
 * only the browser has, in a cookie: nothing is remembered here, so a restarted server, or another
 * one, can finish what this one began, and nobody can fill its memory.
 *
 * @param to the page of ours where the person wants to be afterwards
 */
record Visit(String secret, String to) {
  private static final int BYTES = 32;
  private static final int LONGEST = 2048;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** A new one. A page of somebody else's is not accepted. */
  static Visit begin(Optional<String> to) {
    byte[] secret = new byte[BYTES];
    RANDOM.nextBytes(secret);
    return new Visit(text(secret), to.filter(Visit::isOurs).orElse("/"));
  }

  /** As it came back in the cookie. */
  static Optional<Visit> parse(String cookie) {
    int dot = cookie.indexOf('.');
    if (dot < 1 || cookie.length() > 2 * LONGEST) {
      return Optional.empty();
    }
    try {
      byte[] to = Base64.getUrlDecoder().decode(cookie.substring(dot + 1));
      String page = new String(to, StandardCharsets.UTF_8);
      return Optional.of(new Visit(cookie.substring(0, dot), isOurs(page) ? page : "/"));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String cookie() {
    return secret + "." + text(to.getBytes(StandardCharsets.UTF_8));
  }

  /** A path of this server; {@code //host} and {@code /\host} are other servers to a browser. */
  private static boolean isOurs(String page) {
    return page.startsWith("/")
        && !page.startsWith("//")
        && page.length() <= LONGEST
        && page.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
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
    return text(sha256(verifier()));
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
}
