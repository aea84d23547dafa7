package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.ShellVariables;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * The last step before the user's script: exactly its environment. The variables come into being
 * only here, inside the sandbox; no tool that makes it ever runs with a variable of a job file.
 */
final class LaunchScript {
  /** The user's script, in the platform's directory. */
  static final String SCRIPT = "/runtime.d/user.sh";

  /** The variables, in the platform's directory. */
  static final String EXPORTS = "runtime.d/runtime_env.sh";

  /** What is run in its place and then runs it, where there is such a file. */
  private static final String AROUND = "/runtime.d/around.sh";

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
   * @param door what waits for commands that people run beside it, see {@code exec-channel.sh}; may
   *     be empty
   */
  static String of(Map<String, String> environment, String directory, Run run, String door) {
    ShellVariables.check(environment);
    StringBuilder text = new StringBuilder();
    // 2 is read if nothing starts, 7 is the task's stderr, 8 is told that it has begun.
    text.append("exec 3<&- 4<&- 9<&-\ncd -- ")
        .append(ShellVariables.quoted(directory))
        .append(" || exit 1\n");
    // With a word, the supervisor has done this; see exec-channel.sh.
    text.append("if [ $# -eq 0 ]; then\necho started >&8\nexec 2>&7 7>&- 8>&-\nfi\n");
    // What the server wants done inside the sandbox before the script, with no more rights than it.
    text.append("case ${1--} in -)\n");
    text.append(included(run.preparation())).append(";; esac\n");
    text.append("for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x $shell ] && break; done\n");
    // A terminal that somebody opens in the task later has to have a kind; the task's own wins.
    text.append("terminal= signals=\nbegin() {\n");
    text.append("exec env $signals -i ${terminal:+TERM=xterm} \\\n");
    for (var variable : new TreeMap<>(environment).entrySet()) {
      text.append(ShellVariables.quoted(variable.getKey() + "=" + variable.getValue()))
          .append(" \\\n");
    }
    text.append("\"$@\"\n}\n");
    text.append(door);
    // The script's own arguments are none.
    text.append(
        "set --\n[ ! -e %1$s ] || set -- %1$s %2$s%n"
            .formatted(ShellVariables.quoted(run.around()), ShellVariables.quoted(run.secrets())));
    return text.append(last(environment, run.script())).toString();
  }

  static void write(TaskDirectory task, String text, Map<String, String> environment)
      throws IOException {
    PlatformFiles.write(task.platform(), "runtime.d/launch.sh", text);
    PlatformFiles.write(task.platform(), EXPORTS, ShellVariables.exports(environment));
  }

  private static String included(String file) {
    return "[ ! -e %1$s ] || . %1$s%n".formatted(ShellVariables.quoted(file));
  }

  /** The shell goes on as the script's. A program less to be run, where the names allow it. */
  private static String last(Map<String, String> environment, String script) {
    StringBuilder text = new StringBuilder();
    if (environment.keySet().stream().allMatch(ShellVariables::isPlain)) {
      text.append("unset PATH LC_ALL PWD OLDPWD\n");
      for (var variable : new TreeMap<>(environment).entrySet()) {
        text.append("export ").append(variable.getKey());
        text.append('=').append(ShellVariables.quoted(variable.getValue())).append('\n');
      }
      text.append("exec");
    } else {
      text.append("begin");
    }
    return text.append(" \"$shell\" \"$@\" ")
        .append(ShellVariables.quoted(script))
        .append('\n')
        .toString();
  }
}
