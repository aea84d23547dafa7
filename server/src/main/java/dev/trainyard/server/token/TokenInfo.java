package dev.trainyard.server.token;

import java.time.Instant;
import java.util.Optional;

/** What is known about a token. */
public record TokenInfo(String id, TokenKind kind, Instant created, Optional<Instant> expires) {}
