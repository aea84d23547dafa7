package dev.trainyard.server.http;

import java.util.Optional;

/** Knows whose a token is. May block. */
@FunctionalInterface
public interface Authenticator {
  Optional<Caller> callerOf(String token);
}
