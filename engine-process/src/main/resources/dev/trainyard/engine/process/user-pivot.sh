#!/bin/sh
# Leaves the machine's root for that of the task, and goes on there without any rights.
#
# usage: user-pivot.sh MOUNT PIVOT_ROOT UMOUNT SETPRIV SH SCRIPT
#   the first five  absolute paths of these programs
#   SCRIPT          of the task, run by SH in the task's root
#
# It runs in a user and a mount namespace of the task's own. The mounts came from those of the
# supervisor, and as that has more rights the kernel has locked them: whatever rights a program of
# the task might get in here, it can't take away what covers something else.
set -eu
mount=$1 pivot_root=$2 umount=$3 setpriv=$4 sh=$5 script=$6

# Nobody in here needs a further user namespace, and the kernel has had enough faults in them.
echo 0 >/proc/sys/user/max_user_namespaces

"$mount" --no-mtab --rbind ./root ./root
cd ./root
# The machine's own root is at /tmp for a moment, and then out of this namespace for good.
"$pivot_root" . tmp
"$umount" --no-mtab --lazy /tmp
cd /

# Counted for this user namespace, so that no task takes the processes of another.
ulimit -u 16384 2>/dev/null || ulimit -p 16384 2>/dev/null || :

exec "$setpriv" --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
  "$sh" "$script"
