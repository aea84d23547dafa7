package dev.trainyard.jobfile.dockerfile;

import java.util.List;
import java.util.Map;

/**
 * Generates the shell script of a build, step by step. The script runs as root of the container.
 */
final class BuildScript {
  /** Path at which a task sees the build context. */
  static final String CONTEXT = "/run/trainyard/context";

  /** Temporary directory for files whose owner is changed before they are moved to their target. */
  private static final String STAGING_DIRECTORY = "/.trainyard-stage";

  private static final String FUNCTIONS =
      """
      __ty_fail() { printf '%s\\n' "$2" >&2; exit "$1"; }
      __ty_failed() { printf "The command '%s' returned a non-zero code: %s\\n" "$2" "$1" >&2; exit "$1"; }
      __ty_children() {
        mkdir -p "$2" || return 1
        for __ty_f in "$1"/* "$1"/.[!.]* "$1"/..?*; do
          if [ -e "$__ty_f" ] || [ -L "$__ty_f" ]; then cp -a "$__ty_f" "$2/" || return 1; fi
        done
      }
      __ty_file() {
        case $2 in
          */) mkdir -p "$2" || return 1 ;;
          *) __ty_d=${2%/*}; [ -z "$__ty_d" ] || mkdir -p "$__ty_d" || return 1 ;;
        esac
        cp -pL "$1" "$2"
      }
      __ty_change() {
        for __ty_f in STAGE/* STAGE/.[!.]* STAGE/..?*; do
          if [ -e "$__ty_f" ] || [ -L "$__ty_f" ]; then
            [ -z "$1" ] || chown -h -R "$1" "$__ty_f" || return 1
            [ -z "$2" ] || [ -L "$__ty_f" ] || chmod -R "$2" "$__ty_f" || return 1
          fi
        done
      }
      __ty_name() {
        while IFS=: read -r __ty_n __ty_x __ty_i __ty_r; do
          if [ "$__ty_n" = "$1" ] || [ "$__ty_i" = "$1" ]; then printf '%s' "$__ty_n"; return; fi
        done </etc/passwd
      }
      __ty_as() {
        __ty_u=$(__ty_name "$1" 2>/dev/null)
        if [ -z "$2" ] && [ -n "$__ty_u" ] && command -v su >/dev/null; then
          exec su -s /bin/sh "$__ty_u" -c "$3"
        elif setpriv --reuid=0 --regid=0 --clear-groups true 2>/dev/null; then
          exec setpriv --reuid="$1" --regid="${2:-0}" --clear-groups /bin/sh -c "$3"
        fi
        __ty_fail 1 "this image has no program that can run a step as the user $1${2:+:$2} (su, setpriv)"
      }
      umask 022
      """
          .replace("STAGE", STAGING_DIRECTORY);

  private final StringBuilder text = new StringBuilder(FUNCTIONS);
  private final int steps;
  private int step;

  BuildScript(int steps) {
    this.steps = steps;
  }

  static String quote(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }

  private static String quote(List<String> words) {
    return String.join(" ", words.stream().map(BuildScript::quote).toList());
  }

  void step(Instruction instruction) {
    step++;
    String progressText = "Step " + step + "/" + steps + " : " + instruction.displayText();
    appendLine("printf '%s\\n' " + quote(progressText));
  }

  private void appendLine(String line) {
    text.append(line).append('\n');
  }

  void makeDirectory(String path) {
    appendLine(
        "mkdir -p "
            + quote(path)
            + " || __ty_fail 1 "
            + quote("failed to create directory " + path));
  }

  /**
   * @param user empty or root for the container's root; otherwise a user, optionally with a group
   *     after a colon
   * @param variables variables in addition to the variables of the image
   */
  void run(String directory, String user, Map<String, String> variables, List<String> command) {
    StringBuilder subshell =
        new StringBuilder("( cd ").append(quote(directory)).append(" || exit 1");
    variables.forEach(
        (name, value) ->
            subshell.append("; export ").append(name).append('=').append(quote(value)));
    subshell.append("; ");
    String[] account = user.split(":", 2);
    if (account[0].isEmpty() || account[0].equals("root") || account[0].equals("0")) {
      subshell.append("exec ").append(quote(command));
    } else {
      String group = account.length > 1 ? account[1] : "";
      subshell.append("__ty_as ").append(quote(account[0])).append(' ').append(quote(group));
      subshell.append(' ').append(quote("exec " + quote(command)));
    }
    subshell.append(" ) || __ty_failed $? ").append(quote(String.join(" ", command)));
    appendLine(subshell.toString());
  }

  /**
   * A file or directory to copy.
   *
   * @param path path relative to the context; empty for the context itself
   */
  record Source(String path, boolean directory) {
    private String contextPath() {
      return path.isEmpty() ? CONTEXT : CONTEXT + "/" + path;
    }

    private String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }

  /**
   * @param target absolute path; with a trailing slash it is a directory
   * @param owner empty for root
   * @param mode empty to keep the mode of the file
   */
  void copy(List<Source> sources, String target, String owner, String mode) {
    boolean usesStage = !owner.isEmpty() || !mode.isEmpty();
    for (Source source : sources) {
      String copyFunction = source.directory() ? "__ty_children " : "__ty_file ";
      String failureCommand =
          " || __ty_fail 1 " + quote("can't copy " + source.path() + " to " + target);
      if (!usesStage) {
        appendLine(
            copyFunction + quote(source.contextPath()) + " " + quote(target) + failureCommand);
      } else {
        appendLine("rm -rf " + STAGING_DIRECTORY + "; mkdir " + STAGING_DIRECTORY + failureCommand);
        String stageTarget = source.directory() ? STAGING_DIRECTORY : STAGING_DIRECTORY + "/";
        appendLine(copyFunction + quote(source.contextPath()) + " " + stageTarget + failureCommand);
        appendLine("__ty_change " + quote(owner) + " " + quote(mode) + failureCommand);
        String stageSource =
            source.directory() ? STAGING_DIRECTORY : STAGING_DIRECTORY + "/" + source.name();
        appendLine(copyFunction + quote(stageSource) + " " + quote(target) + failureCommand);
        appendLine("rm -rf " + STAGING_DIRECTORY);
      }
    }
  }

  String finish(String message) {
    appendLine("printf '%s\\n' " + quote(message));
    appendLine("exit 0");
    return text.toString();
  }
}
