package dev.trainyard.server.token;

import java.time.Instant;
import java.util.Optional;

/**
 * A new token.
 *
 * @param secret the token itself, which exists nowhere else
 */
public record IssuedToken(String secret, TokenInfo info) {
  public Optional<Instant> expires() {
    return info.expires();
  }

  /** Never the secret: this may end in a log. */
  @Override
  public String toString() {
    return "IssuedToken[info=" + info + "]";
  }
}
