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
  static final String USER_SCRIPT = "/runtime.d/user.sh";

  /** Path of the file with the variables, relative to the platform's directory. */
  static final String EXPORTS_FILE = "runtime.d/runtime_env.sh";

  /** Path of a script that, if it exists, is started first and runs the user's script itself. */
  private static final String WRAPPER_SCRIPT = "/runtime.d/around.sh";

  private LaunchScript() {}

  /**
   * The scripts to run, as paths inside the task.
   *
   * @param precommands script that is sourced before the user's script, if it exists
   * @param wrapper script that is run instead of the user's script, if it exists, with {@code
   *     secrets} and {@code script} as arguments
   * @param secrets directory of the task's secrets
   * @param script the user's script
   */
  record ScriptPaths(String precommands, String wrapper, String secrets, String script) {
    /**
     * @param platform path of the platform's files inside the task
     * @param secretsDirectory path of the secrets inside the task
     */
    static ScriptPaths of(String platform, String secretsDirectory, SecretFiles secrets) {
      return new ScriptPaths(
          secrets.has(SecretFiles.PRECOMMANDS)
              ? secretsDirectory + "/" + SecretFiles.PRECOMMANDS
              : platform + "/runtime.d/precommands.sh",
          platform + WRAPPER_SCRIPT,
          secretsDirectory,
          secrets.has(SecretFiles.SCRIPT)
              ? secretsDirectory + "/" + SecretFiles.SCRIPT
              : platform + USER_SCRIPT);
    }

    /** Returns the default paths. */
    static ScriptPaths of(SecretFiles secrets) {
      return of(TaskRootPlan.PLATFORM_DIRECTORY, TaskRootPlan.SECRETS_DIRECTORY, secrets);
    }
  }

  /**
   * @param directory initial working directory
   * @param execChannel script that receives additional commands, see {@code exec-channel.sh}; may
   *     be empty
   */
  static String of(
      Map<String, String> environment, String directory, ScriptPaths paths, String execChannel) {
    ShellVariables.check(environment);
    StringBuilder text = new StringBuilder();
    // Descriptor 2 is the file for the error messages of a failed start, 7 is the task's stderr,
    // and the start is reported on 8.
    text.append("exec 3<&- 4<&- 9<&-\ncd -- ")
        .append(ShellVariables.quote(directory))
        .append(" || exit 1\n");
    // If there is an argument, the supervisor has already reported the start and set the
    // descriptors; see exec-channel.sh.
    text.append("if [ $# -eq 0 ]; then\necho started >&8\nexec 2>&7 7>&- 8>&-\nfi\n");
    // The precommands of the server run inside the sandbox before the user's script, with the same
    // privileges.
    text.append("case ${1--} in -)\n");
    text.append(sourceIfExists(paths.precommands())).append(";; esac\n");
    text.append("for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x $shell ] && break; done\n");
    // A terminal that is opened in the task later needs TERM; a value that the task sets takes
    // precedence.
    text.append("terminal= signals=\nbegin() {\n");
    text.append("exec env $signals -i ${terminal:+TERM=xterm} \\\n");
    for (var variable : new TreeMap<>(environment).entrySet()) {
      text.append(ShellVariables.quote(variable.getKey() + "=" + variable.getValue()))
          .append(" \\\n");
    }
    text.append("\"$@\"\n}\n");
    text.append(execChannel);
    // The user's script gets no arguments. If the wrapper exists, it is run with the directory of
    // the secrets and the user's script as arguments.
    text.append(
        "set --\n[ ! -e %1$s ] || set -- %1$s %2$s%n"
            .formatted(
                ShellVariables.quote(paths.wrapper()), ShellVariables.quote(paths.secrets())));
    return text.append(execCommand(environment, paths.script())).toString();
  }

  static void write(TaskDirectory task, String text, Map<String, String> environment)
      throws IOException {
    PlatformFiles.write(task.platform(), "runtime.d/launch.sh", text);
    PlatformFiles.write(task.platform(), EXPORTS_FILE, ShellVariables.exports(environment));
  }

  private static String sourceIfExists(String file) {
    return "[ ! -e %1$s ] || . %1$s%n".formatted(ShellVariables.quote(file));
  }

  /**
   * Returns the command that replaces this shell by the shell that runs the script. It does not run
   * env if the shell can set all variables itself.
   */
  private static String execCommand(Map<String, String> environment, String script) {
    StringBuilder text = new StringBuilder();
    if (environment.keySet().stream().allMatch(ShellVariables::isPlain)) {
      text.append("unset PATH LC_ALL PWD OLDPWD\n");
      for (var variable : new TreeMap<>(environment).entrySet()) {
        text.append("export ").append(variable.getKey());
        text.append('=').append(ShellVariables.quote(variable.getValue())).append('\n');
      }
      text.append("exec");
    } else {
      text.append("begin");
    }
    return text.append(" \"$shell\" \"$@\" ")
        .append(ShellVariables.quote(script))
        .append('\n')
        .toString();
  }
}
