package dev.trainyard.server.token;

import dev.trainyard.server.http.Scope;
import java.time.Instant;
import java.util.Optional;

/**
 * What is known about a token.
 *
 * @param name what its holder calls it; empty but for those of applications
 * @param lastUsed to the minute
 */
public record TokenInfo(
    String id,
    TokenKind kind,
    String name,
    Scope scope,
    Instant created,
    Optional<Instant> expires,
    Instant lastUsed) {}
