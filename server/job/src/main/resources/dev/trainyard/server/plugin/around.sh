# Runs what the runtime plugins of a job do before its command, the command and, if that succeeded,
# what they do after it.
#
# usage: around.sh SECRETS SCRIPT
#   SECRETS  the directory of what the task alone may see
#   SCRIPT   the command
# Lines for this task's plugins follow.

secrets=$1 script=$2
export PAI_PLUGIN_SECRETS="$secrets"
place=${0%/*}
for shell in /bin/bash /usr/bin/bash /bin/sh; do [ -x "$shell" ] && break; done

# A stop comes to every process. This one goes on until the command has ended by it: its exit code is
# the task's.
stopped=''
trap 'stopped=1' HUP INT QUIT TERM

# usage: plugin NAME POLICY CODE FILE
#   POLICY  of its failure: fail or ignore
#   CODE    what the task ends with then; 0 for what the plugin ended with
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

# The command, if nothing comes after it.
alone() {
  unset PAI_PLUGIN_SECRETS
  trap - HUP INT QUIT TERM
  [ -z "$stopped" ] || exit 143 # it came after the last plugin
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

