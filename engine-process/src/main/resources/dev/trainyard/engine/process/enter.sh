#!/bin/sh
# Puts itself into the control groups of a task and goes on as the given command.
#
# usage: enter.sh COUNT GROUP... COMMAND...
count=$1
shift
while [ "$count" -gt 0 ]; do
  echo 0 >"$1/cgroup.procs" || exit 126
  shift
  count=$((count - 1))
done
exec "$@"
