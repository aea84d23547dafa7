package dev.trainyard.server.team;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Rules for names of groups, virtual clusters and storages. Names that differ only in case are
 * considered equal.
 */
public final class TeamNameRules {
  private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,254}");

  private TeamNameRules() {}

  public static boolean isValid(String name) {
    return ALLOWED.matcher(name).matches();
  }

  static String key(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
