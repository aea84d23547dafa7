package dev.trainyard.server.http;

import java.util.Optional;

/**
 * An address at which the server answers, as it was added to {@link Routes}.
 *
 * @param method or {@code *} for all
 * @param access empty where an API that is not ours judges by itself
 */
public record Route(String method, String path, Optional<Access> access) {}
