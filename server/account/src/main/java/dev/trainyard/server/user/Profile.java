package dev.trainyard.server.user;

/**
 * Personal data of a user. Missing values are empty strings.
 *
 * @param language en or zh
 * @param extension a JSON object for use by clients
 */
public record Profile(String email, String displayName, String language, String extension) {
  public static final Profile EMPTY = new Profile("", "", "", "{}");
}
