package dev.trainyard.server.token;

import dev.trainyard.server.http.Scope;
import java.time.Instant;
import java.util.Optional;

/**
 * Metadata of a token.
 *
 * @param name name chosen by the holder; empty if the token is not an application token
 * @param lastUsed time of the last use, accurate to the minute
 */
public record TokenInfo(
    String id,
    TokenKind kind,
    String name,
    Scope scope,
    Instant created,
    Optional<Instant> expires,
    Instant lastUsed) {}
