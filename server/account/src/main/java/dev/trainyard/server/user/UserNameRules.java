package dev.trainyard.server.user;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Valid user names. Names that differ only in case are equal: users cannot distinguish them in a
 * list, and some file systems cannot either.
 */
public final class UserNameRules {
  static final int MAX_LENGTH = 255;

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_LENGTH + "}");

  /** Name of the caller in API paths. */
  static final String ME = "me";

  private UserNameRules() {}

  public static boolean isValid(String name) {
    return ALLOWED.matcher(name).matches()
        && !name.equals(".")
        && !name.equals("..")
        && !key(name).equals(ME);
  }

  /** Returns a key that is equal for equivalent names. */
  public static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
