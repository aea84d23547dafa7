package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.linux.PlatformFiles;
import dev.trainyard.engine.linux.ShellVariables;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * Generates the script that sets exactly the task's environment and then runs the user's script.
 * The variables are set only here, inside the sandbox, so that no tool that creates the sandbox
 * runs with a variable from a job file.
 */
final class LaunchScript {
  /** Path of the user's script, relative to the platform's directory. */
  static final String SCRIPT = "/runtime.d/user.sh";

  /** Path of the file with the variables, relative to the platform's directory. */
  static final String EXPORTS = "runtime.d/runtime_env.sh";

  /** Run instead of the user's script if it exists; it runs the user's script itself. */
  private static final String AROUND = "/runtime.d/around.sh";

  private LaunchScript() {}

  /**
   * The files to run, as paths inside the task.
   *
   * @param preparation sourced before the script, if it exists
   * @param around run instead of the script, if it exists, with the next two as arguments
   * @param secrets directory of the task's secrets
   */
  record Run(String preparation, String around, String secrets, String script) {
    /**
     * @param platform path of the platform's files inside the task
     * @param place path of the secrets inside the task
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

    /** Returns the default paths. */
    static Run of(SecretFiles secrets) {
      return of(RootPlan.PLATFORM_DIRECTORY, RootPlan.SECRETS_DIRECTORY, secrets);
    }
  }

  /**
   * @param directory initial working directory
   * @param execChannel script that receives additional commands, see {@code exec-channel.sh}; may
   *     be empty
   */
  static String of(Map<String, String> environment, String directory, Run run, String execChannel) {
    ShellVariables.check(environment);
    StringBuilder text = new StringBuilder();
    // 2 is read if the start fails, 7 is the task's stderr, 8 is notified of the start.
    text.append("exec 3<&- 4<&- 9<&-\ncd -- ")
        .append(ShellVariables.quoted(directory))
        .append(" || exit 1\n");
    // With an argument, the supervisor has already done this; see exec-channel.sh.
    text.append("if [ $# -eq 0 ]; then\necho started >&8\nexec 2>&7 7>&- 8>&-\nfi\n");
    // The server's preparation inside the sandbox before the script, with the same privileges as
    // the script.
    text.append("case ${1--} in -)\n");
    text.append(included(run.preparation())).append(";; esac\n");
    text.append("for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x $shell ] && break; done\n");
    // A terminal that is opened in the task later needs a terminal type; the task's own value wins.
    text.append("terminal= signals=\nbegin() {\n");
    text.append("exec env $signals -i ${terminal:+TERM=xterm} \\\n");
    for (var variable : new TreeMap<>(environment).entrySet()) {
      text.append(ShellVariables.quoted(variable.getKey() + "=" + variable.getValue()))
          .append(" \\\n");
    }
    text.append("\"$@\"\n}\n");
    text.append(execChannel);
    // The script has no arguments.
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

  /**
   * Returns the command that replaces this shell by that of the script. Where the names allow it,
   * this avoids running env.
   */
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
