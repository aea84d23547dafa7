# Clones a repository. Variables: clone_dir, empty for the default directory. A call of clone with
# the arguments of git clone follows.
#
# usage: SCRIPT PLATFORM
#   PLATFORM  the platform's directory; this script may be elsewhere

platform=$1

clone() {
  command -v git >/dev/null || {
    echo "[trainyard: there is no git in this task: install it, or take an image that has it]" >&2
    exit 127
  }
  if [ -z "$clone_dir" ]; then
    clone_dir=$platform/code
    # In a sandbox the platform's directory is read-only; a link leads to a writable directory.
    if [ -h "$clone_dir" ]; then
      clone_dir=$(readlink "$clone_dir")
    fi
  fi
  if [ -e "$clone_dir" ] && { [ ! -d "$clone_dir" ] || [ -n "$(ls -A "$clone_dir")" ]; }; then
    echo "fatal: destination path '$clone_dir' already exists and is not an empty directory." >&2
    exit 128
  fi
  mkdir -p "$clone_dir" || exit 1
  # Fail instead of prompting for a password.
  export GIT_TERMINAL_PROMPT=0
  tries=1
  until git clone "$@" "$clone_dir"; do
    code=$?
    [ "$tries" -lt 3 ] || exit "$code"
    sleep $((2 * tries))
    tries=$((tries + 1))
  done
}

