package dev.trainyard.server.user;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What a user may be called. Alice and alice are one name: people can't tell them apart in a list,
 * and some file systems can't either.
 */
public final class UserNameRules {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._-]{1,255}");

  /** In addresses of the API, whoever asks. */
  static final String ME = "me";

  private UserNameRules() {}

  public static boolean isValid(String name) {
    return ALLOWED.matcher(name).matches()
        && !name.equals(".")
        && !name.equals("..")
        && !key(name).equals(ME);
  }

  /** Equal for names that count as the same. */
  public static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
