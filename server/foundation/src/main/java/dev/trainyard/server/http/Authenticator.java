package dev.trainyard.server.http;

import java.util.Optional;

/** Returns the caller to whom a token belongs. May block. */
@FunctionalInterface
public interface Authenticator {
  Optional<Caller> callerOf(String token);
}
