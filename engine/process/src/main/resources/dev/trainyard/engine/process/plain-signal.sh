#!/bin/sh
# Sends a signal to all processes of a task that has no PID namespace. They are identified by a
# variable that each inherits; a process that removes it from its environment is not found.
#
# usage: plain-signal.sh SIGNAL TASK
signal=$1 task=$2
rounds=0
while [ "$rounds" -lt 50 ]; do
  found=''
  for file in $(grep -lszxF "TRAINYARD_TASK=$task" /proc/[0-9]*/environ); do
    file=${file#/proc/}
    found="$found ${file%/environ}"
  done
  [ -n "$found" ] || exit 0
  # shellcheck disable=SC2086 # a list of numbers
  kill -"$signal" $found 2>/dev/null
  [ "$signal" = KILL ] || exit 0
  rounds=$((rounds + 1))
done
