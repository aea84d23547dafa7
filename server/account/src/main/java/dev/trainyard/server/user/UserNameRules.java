package dev.trainyard.server.user;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rules for user names. Names that differ only in case are considered equal, because people easily
 * confuse them in a list, and some file systems do not distinguish them.
 */
public final class UserNameRules {
  static final int MAX_LENGTH = 255;

  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1," + MAX_LENGTH + "}");

  /** Name that means the caller in API paths. */
  static final String ME = "me";

  private UserNameRules() {}

  public static boolean isValid(String name) {
    return ALLOWED.matcher(name).matches()
        && !name.equals(".")
        && !name.equals("..")
        && !key(name).equals(ME);
  }

  /** Returns a key that is the same for names that differ only in case. */
  public static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
