package dev.trainyard.server.openpai;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Json;
import dev.trainyard.server.token.IssuedToken;
import dev.trainyard.server.token.TokenInfo;
import dev.trainyard.server.token.TokenKind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Tokens in the format that OpenPAI's clients parse. The claims are for those clients only; the
 * server ignores them. The last part, in place of a signature, is the server's own token; only this
 * part is looked up. In a list of tokens, the last part is instead the token's ID, which is
 * sufficient to revoke the token but not to authenticate a request.
 */
final class Jwt {
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private Jwt() {}

  /** Returns a new token, which is shown once. */
  static String of(IssuedToken token, String userName) {
    return claimsOf(token.info(), userName) + token.secret();
  }

  /** Returns a token for a list of tokens. */
  static String listed(TokenInfo token, String userName) {
    return claimsOf(token, userName) + token.id();
  }

  private static String claimsOf(TokenInfo token, String userName) {
    return encoded(Map.of("alg", "HS256", "typ", "JWT"))
        + "."
        + encoded(claims(token, userName))
        + ".";
  }

  static Map<String, Object> claims(TokenInfo token, String userName) {
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("username", userName);
    claims.put("application", token.kind() == TokenKind.APPLICATION);
    claims.put("jti", token.id());
    claims.put("iat", token.created().getEpochSecond());
    token.expires().ifPresent(time -> claims.put("exp", time.getEpochSecond()));
    return claims;
  }

  private static String encoded(Map<String, Object> part) {
    try {
      byte[] json = Json.MAPPER.writeValueAsString(part).getBytes(StandardCharsets.UTF_8);
      return ENCODER.encodeToString(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the ID in a token from a list of tokens; empty for a token that authenticates requests.
   */
  static Optional<String> listedId(String token) {
    String last = token.substring(token.lastIndexOf('.') + 1);
    return Ulid.isValid(last) ? Optional.of(last) : Optional.empty();
  }
}
