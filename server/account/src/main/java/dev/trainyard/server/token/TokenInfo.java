package dev.trainyard.server.token;

import dev.trainyard.server.http.Scope;
import java.time.Instant;
import java.util.Optional;

/**
 * Metadata of a token.
 *
 * @param name name chosen by the holder; empty unless it is an application token
 * @param lastUsed accurate to the minute
 */
public record TokenInfo(
    String id,
    TokenKind kind,
    String name,
    Scope scope,
    Instant created,
    Optional<Instant> expires,
    Instant lastUsed) {}
