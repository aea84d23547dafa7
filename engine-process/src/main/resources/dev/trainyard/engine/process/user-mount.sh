#!/bin/sh
# Makes the root of a task of a server run by an ordinary user, and has user-pivot.sh go into it.
#
# usage: user-mount.sh HOSTNAME MOUNT COMMAND...
#   HOSTNAME  what the task calls its machine
#   MOUNT     absolute path of this program
#   COMMAND   goes on, see UserSandbox
#
# It runs in the namespaces of the supervisor, whose user namespace owns them all, in the task's
# directory: ./table says what is mounted where.
set -eu
hostname=$1 mount=$2
shift 2

"$mount" --no-mtab --internal-only --all --fstab table
hostname "$hostname" 2>/dev/null || : # a machine without this program keeps its name
exec "$@"
