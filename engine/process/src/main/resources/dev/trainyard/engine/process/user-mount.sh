#!/bin/sh
# Creates the root of a task for a server that runs as an ordinary user; user-pivot.sh then enters it.
#
# usage: user-mount.sh HOSTNAME PAGES MOUNT COMMAND...
#   HOSTNAME  host name that the task sees
#   PAGES     maximum number of pages of System V shared memory of the task
#   MOUNT     absolute path of the program mount
#   COMMAND   executed afterwards, see UserSandbox
#
# It runs in the task's directory, where ./table lists the mounts, and in the namespaces of the supervisor,
# which all belong to the supervisor's user namespace.
set -eu
hostname=$1 pages=$2 mount=$3
shift 3

"$mount" --no-mtab --internal-only --all --fstab table
hostname "$hostname" 2>/dev/null || : # without this program, the task sees the name of the host
# Limits System V shared memory, because a segment that no process has attached does not count as memory of a
# process, so the server cannot measure it. Older kernels do not allow an ordinary user to set this limit.
{ echo "$pages" >/proc/sys/kernel/shmall; } 2>/dev/null || :
exec "$@"
