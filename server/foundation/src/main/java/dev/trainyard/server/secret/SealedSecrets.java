package dev.trainyard.server.secret;

/**
 * Encrypted secrets as they are stored.
 *
 * @param key the ID of the key that decrypts them
 */
public record SealedSecrets(String key, String sealed) {}
