package dev.trainyard.server.secret;

/**
 * A job's secrets as they are stored.
 *
 * @param key the name of the key that opens them
 */
public record SealedSecrets(String key, String sealed) {}
