package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Validates a task's environment variables and formats them for shells. */
public final class ShellVariables {
  /** The kernel's limit for one string. */
  private static final int MAX_VARIABLE_BYTES = 128 * 1024 - 1;

  /** Limit of the total size, well below the kernel's limit. */
  private static final int MAX_ENVIRONMENT_BYTES = 1024 * 1024;

  /** Names with a special meaning only in the script that starts a task. */
  private static final Set<String> SCRIPT_NAMES = Set.of("shell", "terminal", "signals");

  /** Names with a special meaning in some shell or in that script. */
  private static final Set<String> SPECIAL_NAMES =
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
   * Returns export statements that a shell can read with {@code source} later, or PAM as {@code
   * /etc/environment}. Variables that a shell cannot have or sets itself are omitted.
   */
  public static String exports(Map<String, String> environment) {
    StringBuilder text = new StringBuilder();
    for (var variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (isPlain(name) || SCRIPT_NAMES.contains(name)) {
        text.append("export ").append(name).append('=');
        text.append(quote(variable.getValue())).append('\n');
      }
    }
    return text.toString();
  }

  /** Returns whether a shell can have a variable of this name and gives it no special meaning. */
  public static boolean isPlain(String name) {
    return isIdentifier(name) && !SPECIAL_NAMES.contains(name);
  }

  /**
   * Returns whether the name consists of letters, digits and underscores and does not start with a
   * digit. This is a loop, because a regular expression used considerable processor time.
   */
  private static boolean isIdentifier(String name) {
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
   * Rejects variables that would prevent every program of the task from starting.
   *
   * @throws EngineException with the name of the variable
   */
  public static void check(Map<String, String> environment) {
    long total = 0;
    for (var variable : environment.entrySet()) {
      String name = variable.getKey();
      String value = variable.getValue();
      if (name.isEmpty() || name.indexOf('=') >= 0 || name.startsWith("-")) {
        throw new EngineException("'" + name + "' is not a valid name of an environment variable");
      }
      if (name.indexOf('\0') >= 0 || value.indexOf('\0') >= 0) {
        throw new EngineException(
            "the variable " + name.replace('\0', '?') + " contains a zero byte");
      }
      long size = name.length() + (long) value.getBytes(StandardCharsets.UTF_8).length + 2;
      if (size > MAX_VARIABLE_BYTES) {
        throw new EngineException(
            "the variable " + name + " is longer than " + MAX_VARIABLE_BYTES + " bytes");
      }
      total += size;
    }
    if (total > MAX_ENVIRONMENT_BYTES) {
      throw new EngineException(
          "the total size of the environment variables exceeds "
              + MAX_ENVIRONMENT_BYTES
              + " bytes");
    }
  }

  /** Returns the text as a quoted word of a shell command. */
  public static String quote(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
