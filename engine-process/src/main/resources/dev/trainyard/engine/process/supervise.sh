#!/bin/sh
# Starts one task, carries its output to the logs and records its end. It outlives the server.
#
# usage: supervise.sh TASK END ROOT LOGS LIMIT START SETPRIV UNSHARE NSENTER SH [CGROUP...]
#   TASK    the task's directory, see TaskDirectory
#   END     where the exit record goes
#   ROOT    where the task's root is mounted
#   LOGS    gets stdout and stderr
#   LIMIT   of each log, in blocks of 512 bytes
#   START   the directory the task starts in
#   SETPRIV, UNSHARE, NSENTER, SH  absolute paths of these programs
#   CGROUP  directories of the task's control groups, the one that counts memory first
#   stdin   the user namespace of the task's owner
#
# It runs in namespaces of the task's for mounts, host name and IPC, which the server has made, but
# sees the machine's own root: no file that the task can change is ever run here.
# Programs are few on purpose: each costs about a millisecond of every task.
set -u
task=$1 end=$2 root=$3 logs=$4 limit=$5 start=$6
setpriv=$7 unshare=$8 nsenter=$9
shift 9
sh=$1
shift
cd "$task" || exit 1
exec 9<&0 </dev/null

# Who makes the claim decides: a second supervisor, or one that comes after a stop, leaves.
set -C
{ true >claim; } 2>/dev/null || exit 0
set +C

read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ born _ <"/proc/$$/stat"
read -r boot </proc/sys/kernel/random/boot_id
echo "$$ $born $boot" >supervisor
ulimit -c 0

# Copies one stream. Above the limit the middle is dropped: cat fails as the file may not grow, the
# end is kept by tail. The fifo stays open all the time, so the task never waits nor gets SIGPIPE.
copy() {
  exec 9<&- <"$1" >>"$logs/$2"
  trap '' XFSZ
  ulimit -S -f "$limit"
  cat 2>"$1.error" && return
  ulimit -S -f unlimited
  read -r why <"$1.error" || why=
  case $why in
    *'File too large'*)
      why="limit of $((limit * 512)) bytes reached"
      [ $((limit % 2048)) -ne 0 ] || why="limit of $((limit / 2048)) MB reached"
      ;;
  esac
  printf '\n[trainyard: %s; what follows is the end of the output, the rest is left out]\n' "$why"
  tail -c 1048576
}
LC_ALL=C
export LC_ALL
copy out stdout &
out=$!
copy err stderr &
err=$!

# The server is not needed from here on, and the task dies with this shell: pdeathsig reaches
# unshare, --kill-child its child, and, as a change of ids clears it, the last setpriv the task.
# Order: host root makes the pid namespace and /proc, from the machine's own root directory. Then
# nsenter first gives up all rights outside the user namespace and only after that the machine's root
# directory: whatever the task's root holds, the first program run from it has no rights outside.
# The last setpriv gives up the rights inside that a task does not need.
# --wd: or nsenter would take the working directory, which lies outside, along into the new root.
(
  for group; do
    echo 0 >"$group/cgroup.procs" || exit 1
  done
  exec "$setpriv" --pdeathsig KILL \
    "$unshare" --mount --pid --fork --kill-child --cgroup --mount-proc="$root/proc" \
    "$nsenter" --user=/proc/self/fd/9 --root="$root" --wd="$root" \
    "$setpriv" --pdeathsig KILL --inh-caps=-all \
    --bounding-set=-all,+setuid,+setgid,+chown,+dac_override,+fowner,+kill,+net_bind_service \
    "$sh" /usr/local/pai/runtime.d/init.sh "$start"
) </dev/null >out 2>error 7>err 8>code &
wait "$!"
wait "$out" "$err"

oom=0
for file in memory.oom_control memory.events; do
  [ "$#" -gt 0 ] && [ -e "$1/$file" ] || continue
  while read -r name value; do
    [ "$name" = oom_kill ] && oom=$value
  done <"$1/$file"
done

# A full disk delays the record; it does not lose it.
until echo "oom=$oom" >end.draft && mv end.draft "$end"; do
  sleep 1
done
