#!/bin/sh
# Makes the root of a task, goes into it and gives up all rights: for a server run by an ordinary
# user. It is the first process of the task's namespaces, and root of nothing but these.
#
# usage: user-enter.sh HOSTNAME START MOUNT PIVOT_ROOT UMOUNT SETPRIV SH
#   HOSTNAME  what the task calls its machine
#   START     the directory the task starts in
#   the rest  absolute paths of these programs
#   the working directory is the task's, see UserRoot: ./table says what is mounted where
set -eu
hostname=$1 start=$2 mount=$3 pivot_root=$4 umount=$5 setpriv=$6 sh=$7

# In a user namespace of its own a task would have all rights again, if only over what it sees.
echo 0 >/proc/sys/user/max_user_namespaces

"$mount" --no-mtab --internal-only --all --fstab table
hostname "$hostname" 2>/dev/null || : # a machine without this program keeps its name

# The machine's own root goes to /tmp for a moment, and then out of this namespace for good.
cd ./root
"$pivot_root" . tmp
"$umount" --lazy --no-mtab /tmp
cd /

# Counted in this user namespace, so that a task can't take the processes of others.
ulimit -u 16384 2>/dev/null || ulimit -p 16384 2>/dev/null || :

exec "$setpriv" --pdeathsig KILL --no-new-privs \
  --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
  "$sh" /usr/local/pai/runtime.d/init.sh "$start"
