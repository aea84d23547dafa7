#!/bin/sh
# Kills every process of a task, in its PID namespace, except the supervisor and the copiers, which
# still copy the earlier output to the logs.
#
# usage: kill.sh PROC OUT ERR
#   PROC      the /proc of the task's PID namespace
#   OUT, ERR  process IDs of the copiers there
proc=$1 out=$2 err=$3
rounds=0
while [ "$rounds" -lt 50 ]; do
  left=''
  for process in "$proc"/[0-9]*; do
    line=''
    { while read -r part; do line="$line $part"; done <"$process/stat"; } 2>/dev/null || continue
    line=${line##*) }
    parent=${line#* }
    case ${line%% *} in Z | X) continue ;; esac
    case ${process##*/} in 1 | "$$" | "$out" | "$err") continue ;; esac
    case ${parent%% *} in "$out" | "$err") continue ;; esac
    left="$left ${process##*/}"
  done
  [ -n "$left" ] || exit 0
  # shellcheck disable=SC2086 # a list of numbers
  kill -KILL $left 2>/dev/null
  rounds=$((rounds + 1))
done
# The processes fork faster than this loop kills them. Kills all at once, even if output that is not yet in
# the logs is lost.
kill -KILL -1
