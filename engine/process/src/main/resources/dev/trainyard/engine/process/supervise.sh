#!/bin/sh
# Starts one task, copies its output to the logs and records its end. It outlives the server.
#
# usage: supervise.sh PROC LOGS LIMIT GROUPS PLACES GROUP... PLACE... COMMAND...
#   PROC     the /proc of the task's PID namespace, whose first process this is; or - if it has none
#   LOGS     directory that receives stdout and stderr
#   LIMIT    maximum size of each log, in blocks of 512 bytes
#   GROUPS   number of control groups that follow; the group with the memory controller is first
#   PLACES   number of directories that follow, which the task writes to
#   COMMAND  enters the task's root and runs the task
#
# It is started in the task's directory, see TaskDirectory. Descriptors 3 and 4 are the reading ends of the
# task's stdout and stderr, 5 and 6 the writing ends, 9 is the user namespace of the task's owner. If the task
# has a mount namespace that this process is not in, 7 is the task's root directory and 8 that namespace;
# COMMAND gets them as 3 and 4.
#
# It sees the host's own root, so it never runs a file that the task can change. Because it is the first
# process of the PID namespace, the kernel kills all other processes in the namespace when it ends. Records
# are appended to an existing file, so that a full disk does not prevent them. It runs few programs on
# purpose, because each adds about a millisecond to every task.
set -u
proc=$1 logs=$2 limit=$3 groups=$4 places=$5
shift 5

# The server may end at any time, even before everything is prepared for the task. In that case no line
# arrives.
read -r go secrets || exit 1
# A task's secrets are passed only this way, into memory of this namespace: see SecretStream. If the server
# ends before all secrets have arrived, the task is not claimed yet.
if [ "$go" = secrets ]; then
  mount -t tmpfs -o "size=$secrets,mode=700,nosuid,nodev,noexec" secrets secrets || exit 1
  while read -r name size && [ "$name" != . ]; do
    (umask 377 && head -c "$size" >"secrets/$name") || exit 1
  done
  [ "$name" = . ] || exit 1
  secrets=''
fi
exec </dev/null
# If a prefix command such as unshare runs this script, the server does not pass descriptors 5 and 6, because
# that command runs as long as this script and would keep them open.
[ -e /proc/self/fd/5 ] || exec 5>out 6>err
[ -e /proc/self/fd/7 ] || exec 7</dev/null 8</dev/null
# Uses the host's mount program, which sees the host's root and mounts in the task's namespace.
[ "$go" != mount ] || nsenter --mount=/proc/self/fd/8 --root=/ --wd=/ mount --no-mtab --no-canonicalize \
  -t proc -o nosuid,nodev,noexec,hidepid=invisible proc "$proc" || exit 1

# Only the creator of the claim continues: a second supervisor, or a supervisor that starts after a stop,
# exits.
set -C
{ true >claim; } 2>/dev/null || exit 1
set +C

ulimit -c 0

# Copies one stream. If the output exceeds the limit, its middle is dropped: cat fails because the file must
# not grow, and tail keeps the end. While the disk is full, the task blocks when it prints, until space is
# free or the task ends. The FIFO stays open all the time, so the task never gets SIGPIPE.
copy() {
  # Uses exec, because the shell would save the descriptors of a redirected call to restore them.
  exec 3<&- 4<&- 5>&- 6>&- 7<&- 8<&- 9<&-
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
trap '' USR1 # otherwise the signal would kill a copier of a very short task that has not set its trap yet
(exec <&3 && copy stdout) &
out=$!
(exec <&4 && copy stderr) &
err=$!
trap - USR1

read -r pid _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ born _ </proc/self/stat
read -r boot </proc/sys/kernel/random/boot_id
echo "supervisor $pid $born $boot $out $err ." >>state || exit 1

# Runs the task in the foreground, because a background process would ignore SIGINT. SIGTERM is sent to every
# process of the task from outside, see TaskStopper, so it is not sent here.
(
  # The server may be protected from the OOM killer and have a stricter umask. A task does not inherit these
  # settings.
  { echo 0 >/proc/self/oom_score_adj; } 2>/dev/null
  umask 022
  while [ "$groups" -gt 0 ]; do
    echo 0 >"$1/cgroup.procs" || exit 1
    shift
    groups=$((groups - 1))
  done
  shift "$places"
  exec "$@"
) 3<&7 4<&8 >&5 5>&- 7>&6 6>&- 8>>state
code=$?

# Checks whether a full disk may be the cause of the failure; root may still write where ordinary users
# cannot. Checked immediately, because space may be freed while the rest of the output waits for space.
# shellcheck disable=SC2004 # a product
has_free_space() {
  free=$(stat -f -c '%a * %S' "$1") && [ $(($free)) -ge 1048576 ]
}
full=0
memory=${1-}
if [ "$code" -ne 0 ]; then
  shift "$groups"
  has_free_space . && has_free_space "$logs" || full=1
  while [ "$places" -gt 0 ]; do
    has_free_space "$1" || full=1
    shift
    places=$((places - 1))
  done
fi

# Finds the remaining processes, except this one, the copiers and their cat processes.
find_remaining() {
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

# After a stop, every process may finish what it is saving. Without a stop, the task ends with the script, and
# its background processes are killed: one by one, so that the copiers can copy what is still in the FIFOs; or
# all at once if the processes fork faster than this loop kills them.
rounds=0
while find_remaining; do
  if [ ! -h stop ]; then
    rounds=$((rounds + 1))
    # shellcheck disable=SC2086 # a list of numbers
    if [ "$rounds" -lt 50 ] || [ "$proc" = - ]; then kill -KILL $left; else kill -KILL -1; fi 2>/dev/null
  fi
  [ ! -h stop ] && [ "$rounds" -lt 3 ] || sleep 0.02
done
exec 5>&- 6>&-
[ "$proc" = - ] || kill -CONT -1 2>/dev/null # a task with the same user ID may have stopped the copiers
for copier in "$out" "$err"; do
  kill -USR1 "$copier" 2>/dev/null
  wait "$copier" || full=1
done

oom=0
[ ! -e oom ] || oom=1 # set by the server's MemoryLimitEnforcer
for file in memory.oom_control memory.events; do
  [ "$groups" -gt 0 ] && [ -e "$memory/$file" ] || continue
  while read -r name value; do
    [ "$name" = oom_kill ] && oom=$value
  done <"$memory/$file"
done

# Without a mount namespace, the secrets are not freed with it; see SharedMemorySecrets.
[ -z "$secrets" ] || rm -rf "$secrets"

until echo "end code=$code oom=$oom full=$full ." >>state; do
  sleep 1
done
