# Runs the steps of a job's runtime plugins before its command, the command and, if it succeeded, the
# steps after it.
#
# usage: around.sh SECRETS SCRIPT
#   SECRETS  the directory of secrets, which only the task may see
#   SCRIPT   the command
# Lines for this task's plugins follow.

secrets=$1 script=$2
export PAI_PLUGIN_SECRETS="$secrets"
place=${0%/*}
for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x "$shell" ] && break; done

# A stop signals every process. This one waits until the command has ended, because the exit code of
# the command is that of the task.
stopped=''
trap 'stopped=1' HUP INT QUIT TERM

# usage: plugin NAME POLICY CODE FILE
#   POLICY  what to do if the plugin fails: fail or ignore
#   CODE    exit code of the task if it fails; 0 for the exit code of the plugin
plugin() {
  "$shell" "$4" "${place%/*}"
  code=$?
  [ -z "$stopped" ] || exit $((code == 0 ? 143 : code))
  [ "$code" -ne 0 ] || return 0
  if [ "$2" = ignore ]; then
    echo "[trainyard: the runtime plugin $1 ended with $code, which is ignored]" >&2
    return 0
  fi
  echo "[trainyard: the runtime plugin $1 failed with exit code $code]" >&2
  [ "$3" -eq 0 ] || code=$3
  exit "$code"
}

# Runs the command if no step follows it.
alone() {
  unset PAI_PLUGIN_SECRETS
  trap - HUP INT QUIT TERM
  [ -z "$stopped" ] || exit 143 # stopped after the last plugin
  exec "$shell" "$script"
}

main() {
  unset PAI_PLUGIN_SECRETS
  [ -z "$stopped" ] || exit 143
  "$shell" "$script"
  code=$?
  [ "$code" -eq 0 ] && [ -z "$stopped" ] || exit "$code"
  export PAI_PLUGIN_SECRETS="$secrets"
}

