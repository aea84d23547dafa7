#!/bin/sh
# Makes the root of a task of a server run by an ordinary user, and has user-pivot.sh go into it.
#
# usage: user-mount.sh HOSTNAME PAGES MOUNT COMMAND...
#   HOSTNAME  what the task calls its machine
#   PAGES     of System V shared memory that the task may have
#   MOUNT     absolute path of this program
#   COMMAND   goes on, see UserSandbox
#
# It runs in the namespaces of the supervisor, whose user namespace owns them all, in the task's
# directory: ./table says what is mounted where.
set -eu
hostname=$1 pages=$2 mount=$3
shift 3

"$mount" --no-mtab --internal-only --all --fstab table
hostname "$hostname" 2>/dev/null || : # a machine without this program keeps its name
# Segments that no process has attached are in no process's memory, so the server cannot count them.
# Older kernels do not let an ordinary user set this.
{ echo "$pages" >/proc/sys/kernel/shmall; } 2>/dev/null || :
exec "$@"
