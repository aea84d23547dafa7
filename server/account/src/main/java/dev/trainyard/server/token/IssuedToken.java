package dev.trainyard.server.token;

import java.time.Instant;
import java.util.Optional;

/**
 * A new token.
 *
 * @param secret the token itself, which the server does not store
 */
public record IssuedToken(String secret, TokenInfo info) {
  public Optional<Instant> expires() {
    return info.expires();
  }

  /** Omits the secret because the result may be logged. */
  @Override
  public String toString() {
    return "IssuedToken[info=" + info + "]";
  }
}
