package dev.trainyard.server.user;

/**
 * What somebody says about themselves; empty texts where they say nothing.
 *
 * @param language en or zh
 * @param extension a JSON object that belongs to clients
 */
public record Profile(String email, String displayName, String language, String extension) {
  public static final Profile EMPTY = new Profile("", "", "", "{}");
}
