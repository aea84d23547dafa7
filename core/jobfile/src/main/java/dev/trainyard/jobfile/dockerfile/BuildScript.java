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
  private static final String STAGE = "/.trainyard-stage";

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
          .replace("STAGE", STAGE);

  private final StringBuilder text = new StringBuilder(FUNCTIONS);
  private final int steps;
  private int step;

  BuildScript(int steps) {
    this.steps = steps;
  }

  static String quoted(String value) {
    return "'" + value.replace("'", "'\\''") + "'";
  }

  private static String quoted(List<String> words) {
    return String.join(" ", words.stream().map(BuildScript::quoted).toList());
  }

  void step(Instruction instruction) {
    step++;
    String shown = "Step " + step + "/" + steps + " : " + instruction.shown();
    line("printf '%s\\n' " + quoted(shown));
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  void makeDirectory(String path) {
    line(
        "mkdir -p "
            + quoted(path)
            + " || __ty_fail 1 "
            + quoted("failed to create directory " + path));
  }

  /**
   * @param user empty or root for the container's root; otherwise a user, optionally with a group
   *     after a colon
   * @param variables in addition to those of the image
   */
  void run(String directory, String user, Map<String, String> variables, List<String> command) {
    StringBuilder inside =
        new StringBuilder("( cd ").append(quoted(directory)).append(" || exit 1");
    variables.forEach(
        (name, value) -> inside.append("; export ").append(name).append('=').append(quoted(value)));
    inside.append("; ");
    String[] account = user.split(":", 2);
    if (account[0].isEmpty() || account[0].equals("root") || account[0].equals("0")) {
      inside.append("exec ").append(quoted(command));
    } else {
      String group = account.length > 1 ? account[1] : "";
      inside.append("__ty_as ").append(quoted(account[0])).append(' ').append(quoted(group));
      inside.append(' ').append(quoted("exec " + quoted(command)));
    }
    inside.append(" ) || __ty_failed $? ").append(quoted(String.join(" ", command)));
    line(inside.toString());
  }

  /**
   * A file or directory to copy.
   *
   * @param path relative to the context; empty for the whole context
   */
  record Source(String path, boolean directory) {
    private String place() {
      return path.isEmpty() ? CONTEXT : CONTEXT + "/" + path;
    }

    private String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }
  }

  /**
   * @param target absolute path; with a trailing slash it is a directory
   * @param owner empty for root
   * @param mode empty to keep it
   */
  void copy(List<Source> sources, String target, String owner, String mode) {
    boolean staged = !owner.isEmpty() || !mode.isEmpty();
    for (Source source : sources) {
      String copied = source.directory() ? "__ty_children " : "__ty_file ";
      String failed = " || __ty_fail 1 " + quoted("can't copy " + source.path() + " to " + target);
      if (!staged) {
        line(copied + quoted(source.place()) + " " + quoted(target) + failed);
      } else {
        line("rm -rf " + STAGE + "; mkdir " + STAGE + failed);
        String first = source.directory() ? STAGE : STAGE + "/";
        line(copied + quoted(source.place()) + " " + first + failed);
        line("__ty_change " + quoted(owner) + " " + quoted(mode) + failed);
        String from = source.directory() ? STAGE : STAGE + "/" + source.name();
        line(copied + quoted(from) + " " + quoted(target) + failed);
        line("rm -rf " + STAGE);
      }
    }
  }

  String end(String said) {
    line("printf '%s\\n' " + quoted(said));
    line("exit 0");
    return text.toString();
  }
}
