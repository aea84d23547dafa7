#!/bin/sh
# Starts one task, carries its output to the logs and records its end. It outlives the server.
#
# usage: supervise.sh PROC LOGS LIMIT GROUPS PLACES GROUP... PLACE... COMMAND...
#   PROC     the /proc of the task's pid namespace, whose first process this is; or - if it has none
#   LOGS     gets stdout and stderr
#   LIMIT    of each log, in blocks of 512 bytes
#   GROUPS   how many control groups follow, that which counts memory first
#   PLACES   how many directories follow that the task writes to
#   COMMAND  goes into the task's root and runs the task
#
# It is started in the task's directory, see TaskDirectory. 3 and 4 are the ends to read of the
# task's stdout and stderr, 5 and 6 those to write, 9 is the user namespace of the task's owner.
#
# It sees the machine's own root: no file that the task can change is ever run here. As it is the
# first process of the namespace, the kernel kills all that is in it when this ends.
# What is written down goes to a file that is there: a full disk takes nothing from it.
# Programs are few on purpose: each costs about a millisecond of every task.
set -u
proc=$1 logs=$2 limit=$3 groups=$4 places=$5
shift 5

# The server may end at any moment, also before all is made for the task: then no word comes.
read -r go secrets || exit 1
# A task's secrets come by this way only, into memory of this namespace: see SecretStream. If the
# server ends before all are here, nothing has been decided yet.
if [ "$go" = secrets ]; then
  mount -t tmpfs -o "size=$secrets,mode=700,nosuid,nodev,noexec" secrets secrets || exit 1
  while read -r name size && [ "$name" != . ]; do
    (umask 377 && head -c "$size" >"secrets/$name") || exit 1
  done
  [ "$name" = . ] || exit 1
  secrets=''
fi
exec </dev/null
# A program around this one, which lives as long, was not given them and so can't keep them open.
[ -e /proc/self/fd/5 ] || exec 5>out 6>err
[ "$go" != mount ] || mount -t proc -o nosuid,nodev,noexec,hidepid=invisible proc "$proc" || exit 1

# Who makes the claim decides: a second supervisor, or one that comes after a stop, leaves.
set -C
{ true >claim; } 2>/dev/null || exit 1
set +C

ulimit -c 0

# Copies one stream. Above the limit the middle is dropped: cat fails as the file may not grow, the
# end is kept by tail. While the disk is full the task waits when it prints, until there is room or
# its end has come. The fifo stays open all the time, so it never gets SIGPIPE.
copy() {
  # By exec: redirections of the call would be kept aside in the shell, to be taken back.
  exec 3<&- 4<&- 5>&- 6>&- 9<&-
  over=''
  trap 'over=1' USR1
  trap '' TERM XFSZ
  while :; do
    why=$(ulimit -S -f "$limit" && exec cat 2>&1 >>"$logs/$1") && return
    case $why in
      *'File too large'*) break ;;
      *'No space left'* | *'quota exceeded'*)
        until printf '\n[trainyard: the disk was full; some output is missing here]\n' >>"$logs/$1"; do
          if [ -n "$over" ]; then
            cat >/dev/null
            return 1
          fi
          sleep 0.5
        done 2>/dev/null
        ;;
      *)
        printf '\n[trainyard: %s; the rest of the output is left out]\n' "$why" >>"$logs/$1"
        cat >/dev/null
        return 1
        ;;
    esac
  done
  why="limit of $((limit * 512)) bytes reached"
  [ $((limit % 2048)) -ne 0 ] || why="limit of $((limit / 2048)) MB reached"
  printf '\n[trainyard: %s; what follows is the end of the output, the rest is left out]\n' "$why" >>"$logs/$1"
  tail -c 1048576 >>"$logs/$1"
}
trap '' USR1 # or it would kill a copier of a very short task that has not set its trap yet
(exec <&3 && copy stdout) &
out=$!
(exec <&4 && copy stderr) &
err=$!
trap - USR1

read -r pid _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ born _ </proc/self/stat
read -r boot </proc/sys/kernel/random/boot_id
echo "supervisor $pid $born $boot $out $err ." >>state || exit 1

# In the foreground: in the background it would be deaf for SIGINT. SIGTERM comes to every process
# of the task from outside, see Stops; none is needed here.
(
  # The server may be dearer to the machine than its tasks are, and more discreet.
  { echo 0 >/proc/self/oom_score_adj; } 2>/dev/null
  umask 022
  while [ "$groups" -gt 0 ]; do
    echo 0 >"$1/cgroup.procs" || exit 1
    shift
    groups=$((groups - 1))
  done
  shift "$places"
  exec "$@"
) 3<&- 4<&- >&5 5>&- 7>&6 6>&- 8>>state
code=$?

# Whether what it failed by may be a full disk: root may still write where ordinary ids can't. Seen
# at once: somebody may make room while the rest of the output is waiting for it.
# shellcheck disable=SC2004 # a product
has_room() {
  free=$(stat -f -c '%a * %S' "$1") && [ $(($free)) -ge 1048576 ]
}
full=0
memory=${1-}
if [ "$code" -ne 0 ]; then
  shift "$groups"
  has_room . && has_room "$logs" || full=1
  while [ "$places" -gt 0 ]; do
    has_room "$1" || full=1
    shift
    places=$((places - 1))
  done
fi

# Which processes are left that are neither this one nor a copier or a copier's cat.
others() {
  left=''
  if [ "$proc" = - ]; then
    for process in $(grep -lszxF "TRAINYARD_TASK=${PWD##*/}" /proc/[0-9]*/environ); do
      process=${process#/proc/}
      left="$left ${process%/environ}"
    done
    [ -n "$left" ]
    return
  fi
  for process in "$proc"/[0-9]*; do
    line=''
    { while read -r part; do line="$line $part"; done <"$process/stat"; } 2>/dev/null || continue
    line=${line##*) }
    parent=${line#* }
    case ${line%% *} in Z | X) continue ;; esac
    case ${process##*/} in 1 | "$out" | "$err") continue ;; esac
    case ${parent%% *} in "$out" | "$err") continue ;; esac
    left="$left ${process##*/}"
  done
  [ -n "$left" ]
}

# After a stop every process may finish what it is saving. Without one the script's end is the
# task's, and what it left in the background is killed: one by one, so that the copiers can carry
# out what is still in the fifos, or, if they multiply faster than that, all at once.
rounds=0
while others; do
  if [ ! -h stop ]; then
    rounds=$((rounds + 1))
    # shellcheck disable=SC2086 # a list of numbers
    if [ "$rounds" -lt 50 ] || [ "$proc" = - ]; then kill -KILL $left; else kill -KILL -1; fi 2>/dev/null
  fi
  [ ! -h stop ] && [ "$rounds" -lt 3 ] || sleep 0.02
done
exec 5>&- 6>&-
[ "$proc" = - ] || kill -CONT -1 2>/dev/null # a task with the same id may have halted the copiers
for copier in "$out" "$err"; do
  kill -USR1 "$copier" 2>/dev/null
  wait "$copier" || full=1
done

oom=0
[ ! -e oom ] || oom=1 # by the server's own watch
for file in memory.oom_control memory.events; do
  [ "$groups" -gt 0 ] && [ -e "$memory/$file" ] || continue
  while read -r name value; do
    [ "$name" = oom_kill ] && oom=$value
  done <"$memory/$file"
done

# Where there is no namespace to take them away: see SharedMemory.
[ -z "$secrets" ] || rm -rf "$secrets"

until echo "end code=$code oom=$oom full=$full ." >>state; do
  sleep 1
done
