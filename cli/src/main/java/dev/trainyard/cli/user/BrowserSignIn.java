package dev.trainyard.cli.user;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.ApiClient;
import dev.trainyard.cli.api.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;

/**
 * Signs in with a browser, possibly on another host. The browser shows a code to enter here, which
 * is valid only together with the verifier of this command.
 */
final class BrowserSignIn {
  private static final int VERIFIER_BYTES = 32;

  private final Session session;
  private final boolean codeFromStdin;

  BrowserSignIn(Session session, boolean codeFromStdin) {
    this.session = session;
    this.codeFromStdin = codeFromStdin;
  }

  /** Returns the response of the server, which contains the token. */
  Json signIn(ApiClient api) {
    byte[] random = new byte[VERIFIER_BYTES];
    new SecureRandom().nextBytes(random);
    String verifier = base64Url(random);
    session.terminal().line(session.localizer().text("cli.login.oidc"));
    session
        .terminal()
        .line("  " + api.base() + "/api/v3/oidc/login?terminal=" + challenge(verifier));
    String code = new SecretReader(session, codeFromStdin).read("cli.login.oidc-code", "").strip();
    return api.post("/api/v3/oidc/sessions", Map.of("code", code, "verifier", verifier));
  }

  /** Returns the PKCE challenge (RFC 7636, method S256). */
  private static String challenge(String verifier) {
    try {
      return base64Url(
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base64Url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
