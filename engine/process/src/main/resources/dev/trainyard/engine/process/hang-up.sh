#!/bin/sh
# Kills an additional command in a task with all processes that it started: its session, and all descendants
# of a process of the session.
#
# usage: hang-up.sh PROC LEADER OUT ERR
#   PROC      the /proc of the task's PID namespace, in which this script runs
#   LEADER    process ID of the command there
#   OUT, ERR  process IDs of the copiers, which are not killed
proc=$1 leader=$2 out=$3 err=$4
rounds=0
while [ "$rounds" -lt 50 ]; do
  all='' found=' '
  for process in "$proc"/[0-9]*; do
    line=''
    { while read -r part; do line="$line $part"; done <"$process/stat"; } 2>/dev/null || continue
    line=${line##*) }
    # shellcheck disable=SC2086 # state, parent, group, session
    set -- $line
    case $1 in Z | X) continue ;; esac
    case ${process##*/} in 1 | "$$" | "$out" | "$err") continue ;; esac
    if [ "${process##*/}" = "$leader" ] || [ "$4" = "$leader" ]; then
      found="$found${process##*/} "
    else
      all="$all ${process##*/}:$2"
    fi
  done
  [ "$found" != ' ' ] || exit 0
  before=''
  while [ "$found" != "$before" ]; do
    before=$found
    for process in $all; do
      case $found in *" ${process%:*} "*) continue ;; esac
      case $found in *" ${process#*:} "*) found="$found${process%:*} " ;; esac
    done
  done
  # shellcheck disable=SC2086 # a list of numbers
  kill -KILL $found 2>/dev/null
  rounds=$((rounds + 1))
done
