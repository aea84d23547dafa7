package dev.trainyard.server.http;

import java.util.Optional;

/**
 * A route that was added to {@link Routes}.
 *
 * @param method HTTP method, or {@code *} for all
 * @param access empty for an endpoint of another platform's API (OpenPAI), which checks access
 *     itself
 */
public record Route(String method, String path, Optional<Access> access) {}
