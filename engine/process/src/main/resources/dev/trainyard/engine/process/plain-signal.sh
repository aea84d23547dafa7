#!/bin/sh
# Sends a signal to all processes of a task that has no PID namespace. The processes are identified by an
# inherited environment variable; a process that removes the variable is not found. While a process starts
# another program, it has no environment for a moment, so a scan can miss the process. Therefore this script
# scans until several scans have found no further process.
#
# usage: plain-signal.sh SIGNAL TASK
signal=$1 task=$2
rounds=0 scans_without_result=0 signaled=' '
while [ "$rounds" -lt 50 ] && [ "$scans_without_result" -lt 5 ]; do
  found=''
  for file in $(grep -lszxF "TRAINYARD_TASK=$task" /proc/[0-9]*/environ); do
    file=${file#/proc/}
    pid=${file%/environ}
    case $signaled in
      *" $pid "*) [ "$signal" = KILL ] || continue ;;
    esac
    signaled="$signaled$pid "
    found="$found $pid"
  done
  if [ -n "$found" ]; then
    scans_without_result=0
    # shellcheck disable=SC2086 # a list of numbers
    kill -"$signal" $found 2>/dev/null
  else
    scans_without_result=$((scans_without_result + 1))
    sleep 0.02
  fi
  rounds=$((rounds + 1))
done
