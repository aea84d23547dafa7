#!/bin/sh
# Creates the root of a task for a server that runs as an ordinary user; user-pivot.sh then enters it.
#
# usage: user-mount.sh HOSTNAME PAGES MOUNT COMMAND...
#   HOSTNAME  host name that the task sees
#   PAGES     maximum number of pages of System V shared memory of the task
#   MOUNT     absolute path of this program
#   COMMAND   executed afterwards, see UserSandbox
#
# It runs in the namespaces of the supervisor, whose user namespace owns them all, in the task's
# directory: ./table lists the mounts.
set -eu
hostname=$1 pages=$2 mount=$3
shift 3

"$mount" --no-mtab --internal-only --all --fstab table
hostname "$hostname" 2>/dev/null || : # a host without this program keeps its name
# Segments that no process has attached are in no process's memory, so the server cannot count them.
# Older kernels do not allow an ordinary user to set this.
{ echo "$pages" >/proc/sys/kernel/shmall; } 2>/dev/null || :
exec "$@"
