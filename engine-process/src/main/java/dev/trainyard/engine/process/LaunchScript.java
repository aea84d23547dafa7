package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.SecretFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The last step before the user's script: exactly its environment. The variables come into being
 * only here, inside the sandbox; no tool that makes it ever runs with a variable of a job file.
 */
final class LaunchScript {
  /**
   * The kernel takes no longer string, and no more than this of all together with room to spare.
   */
  private static final int LONGEST_VARIABLE = 128 * 1024 - 1;

  private static final int LONGEST_ENVIRONMENT = 1024 * 1024;

  /** The user's script, in the platform's directory. */
  static final String SCRIPT = "/runtime.d/user.sh";

  /** The variables, in the platform's directory. */
  static final String EXPORTS = "runtime.d/runtime_env.sh";

  /** What is run in its place and then runs it, where there is such a file. */
  private static final String AROUND = "/runtime.d/around.sh";

  /** Names that mean something to this script and to nobody else. */
  private static final Set<String> OURS = Set.of("shell", "terminal", "signals");

  /** Names that mean something to some shell, or to this script. */
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

  private LaunchScript() {}

  /**
   * What is run, as the task sees it.
   *
   * @param preparation sourced before the script, if it exists
   * @param around run in place of the script, if it exists; is told the next two
   * @param secrets where the task sees its secrets
   */
  record Run(String preparation, String around, String secrets, String script) {
    /**
     * @param platform where the task sees the platform's files
     * @param place where it sees its secrets
     */
    static Run of(String platform, String place, SecretFiles secrets) {
      return new Run(
          secrets.has(SecretFiles.PREPARATION)
              ? place + "/" + SecretFiles.PREPARATION
              : platform + "/runtime.d/precommands.sh",
          platform + AROUND,
          place,
          secrets.has(SecretFiles.SCRIPT) ? place + "/" + SecretFiles.SCRIPT : platform + SCRIPT);
    }

    /** The usual places. */
    static Run of(SecretFiles secrets) {
      return of(RootPlan.PLATFORM_DIRECTORY, RootPlan.SECRETS_DIRECTORY, secrets);
    }
  }

  /**
   * @param directory where the script starts
   * @param door what waits for commands that people run beside it, see {@code door.sh}; may be
   *     empty
   */
  static String of(Map<String, String> environment, String directory, Run run, String door) {
    check(environment);
    StringBuilder text = new StringBuilder();
    // 2 is read if nothing starts, 7 is the task's stderr, 8 is told that it has begun.
    text.append("exec 9<&-\ncd -- ").append(quoted(directory)).append(" || exit 1\n");
    // With a word, the supervisor has done this; see door.sh.
    text.append("if [ $# -eq 0 ]; then\necho started >&8\nexec 2>&7 7>&- 8>&-\nfi\n");
    // What the server wants done inside the sandbox before the script, with no more rights than it.
    text.append("case ${1--} in -)\n");
    text.append(included(run.preparation())).append(";; esac\n");
    text.append("for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x $shell ] && break; done\n");
    // A terminal that somebody opens in the task later has to have a kind; the task's own wins.
    text.append("terminal= signals=\nbegin() {\n");
    text.append("exec env $signals -i ${terminal:+TERM=xterm} \\\n");
    for (var variable : new TreeMap<>(environment).entrySet()) {
      text.append(quoted(variable.getKey() + "=" + variable.getValue())).append(" \\\n");
    }
    text.append("\"$@\"\n}\n");
    text.append(door);
    // The script's own arguments are none.
    text.append(
        "set --\n[ ! -e %1$s ] || set -- %1$s %2$s%n"
            .formatted(quoted(run.around()), quoted(run.secrets())));
    return text.append(last(environment, run.script())).toString();
  }

  /**
   * The variables for whoever comes later, by {@code source} or, through {@code /etc/environment},
   * by PAM. What a shell can't have, or has for itself, is left out.
   */
  static String exports(Map<String, String> environment) {
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

  static void write(TaskDirectory task, String text, Map<String, String> environment)
      throws IOException {
    Reservation.write(task.platform(), "runtime.d/launch.sh", text);
    Reservation.write(task.platform(), EXPORTS, exports(environment));
  }

  private static String included(String file) {
    return "[ ! -e %1$s ] || . %1$s%n".formatted(quoted(file));
  }

  /** The shell goes on as the script's. A program less to be run, where the names allow it. */
  private static String last(Map<String, String> environment, String script) {
    StringBuilder text = new StringBuilder();
    if (environment.keySet().stream().allMatch(LaunchScript::isPlain)) {
      text.append("unset PATH LC_ALL PWD OLDPWD\n");
      for (var variable : new TreeMap<>(environment).entrySet()) {
        text.append("export ").append(variable.getKey());
        text.append('=').append(quoted(variable.getValue())).append('\n');
      }
      text.append("exec");
    } else {
      text.append("begin");
    }
    return text.append(" \"$shell\" \"$@\" ").append(quoted(script)).append('\n').toString();
  }

  /** Whether a shell can have a variable of this name and takes nothing special in it. */
  private static boolean isPlain(String name) {
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
  static void check(Map<String, String> environment) {
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

  static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }
}
