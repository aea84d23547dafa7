#!/bin/sh
# The first process of a task's pid namespace: everything in it dies when this ends.
#
# usage: init.sh DIRECTORY
#   fd 1 is the task's stdout, 7 its stderr, 8 takes the exit code, 2 is read if nothing started
exec 9<&-
stopping='' interrupted=''
# A shell as first process ignores SIGTERM, and a shell in the middle would not pass it on: so
# every process of the task gets it from here.
trap 'stopping=1 interrupted=1; kill -TERM -1 2>/dev/null' TERM

cd "$1" || exit 1
echo started >&8

# shellcheck source=/dev/null
(. /usr/local/pai/runtime.d/launch.sh) 2>&7 7>&- 8>&- &
script=$!
[ -z "$stopping" ] || kill -TERM "$script" 2>/dev/null

# A signal ends wait early; only when the script is really gone its code counts.
while
  interrupted=''
  wait "$script"
  code=$?
  [ -n "$interrupted" ] && kill -0 "$script" 2>/dev/null
do :; done

# After a stop every process may finish what it is saving. Without one the script's end is the
# task's, and what it left in the background is killed.
if [ -n "$stopping" ]; then
  while kill -0 -1 2>/dev/null; do
    sleep 0.02
  done
fi
echo "$code" >&8
exit "$code"
