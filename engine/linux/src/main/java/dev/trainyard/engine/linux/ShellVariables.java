package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A task's variables, as programs and shells can have them. */
public final class ShellVariables {
  /**
   * The kernel takes no longer string, and no more than this of all together with room to spare.
   */
  private static final int LONGEST_VARIABLE = 128 * 1024 - 1;

  private static final int LONGEST_ENVIRONMENT = 1024 * 1024;

  /** Names that mean something to the script that starts a task, and to nobody else. */
  private static final Set<String> OURS = Set.of("shell", "terminal", "signals");

  /** Names that mean something to some shell, or to that script. */
  private static final Set<String> SPECIAL =
      Set.of(
          "_",
          "ENV",
          "FUNCNAME",
          "HISTSIZE",
          "IFS",
          "LINENO",
          "OLDPWD",
          "OPTARG",
          "OPTIND",
          "PPID",
          "PS1",
          "PS2",
          "PS4",
          "PWD",
          "RANDOM",
          "SECONDS",
          "UID",
          "EUID",
          "GROUPS",
          "SHELLOPTS",
          "BASHOPTS",
          "BASH_ENV",
          "POSIXLY_CORRECT",
          "shell",
          "terminal",
          "signals");

  private ShellVariables() {}

  /**
   * The variables for whoever comes later, by {@code source} or, through {@code /etc/environment},
   * by PAM. What a shell can't have, or has for itself, is left out.
   */
  public static String exports(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    for (var variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (isPlain(name) || OURS.contains(name)) {
        text.append("export ").append(name).append('=');
        text.append(quoted(variable.getValue())).append('\n');
      }
    }
    return text.toString();
  }

  /** Whether a shell can have a variable of this name and takes nothing special in it. */
  public static boolean isPlain(String name) {
    return isWord(name) && !SPECIAL.contains(name);
  }

  /** Letters, digits and underscores, the first no digit; a pattern for it was seen in profiles. */
  private static boolean isWord(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
      boolean digit = c >= '0' && c <= '9';
      if (!letter && (!digit || i == 0)) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  /**
   * Refuses what would make every program of the task fail to start.
   *
   * @throws EngineException naming the variable
   */
  public static void check(Map<String, String> environment) {
    long total = 0;
    for (var variable : environment.entrySet()) {
      String name = variable.getKey();
      String value = variable.getValue();
      if (name.isEmpty() || name.indexOf('=') >= 0 || name.startsWith("-")) {
        throw new EngineException("'" + name + "' can't be the name of a variable");
      }
      if (name.indexOf('\0') >= 0 || value.indexOf('\0') >= 0) {
        throw new EngineException(
            "the variable " + name.replace('\0', '?') + " contains a zero byte");
      }
      long size = name.length() + (long) value.getBytes(StandardCharsets.UTF_8).length + 2;
      if (size > LONGEST_VARIABLE) {
        throw new EngineException(
            "the variable " + name + " is longer than " + LONGEST_VARIABLE + " bytes");
      }
      total += size;
    }
    if (total > LONGEST_ENVIRONMENT) {
      throw new EngineException(
          "the variables are together longer than " + LONGEST_ENVIRONMENT + " bytes");
    }
  }

  public static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
