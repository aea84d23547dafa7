package dev.trainyard.server.http;

/** Who sends a request. */
public record Caller(String userId, String userName, boolean admin, String tokenId) {}
