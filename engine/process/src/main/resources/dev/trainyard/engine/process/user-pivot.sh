#!/bin/sh
# Changes from the host's root to the task's root, and runs the task there without any privileges.
#
# usage: user-pivot.sh MOUNT PIVOT_ROOT UMOUNT SETPRIV PERL SECCOMP FILTER SH SCRIPT
#   MOUNT, PIVOT_ROOT, UMOUNT, SETPRIV, PERL, SH  absolute paths of these programs
#   SECCOMP number of this system call
#   FILTER  file with the BPF program that filters system calls; PERL is empty if there is no filter
#   SCRIPT  script of the task, run by SH in the task's root
#
# It runs in a user and a mount namespace of the task. The mounts are copies of the supervisor's mounts, and
# because the supervisor has more privileges, the kernel has locked them: whatever capabilities a program of
# the task may get in here, it cannot unmount a mount that covers other files.
set -eu
mount=$1 pivot_root=$2 umount=$3 setpriv=$4 perl=$5 seccomp=$6 filter=$7
shift 7

# No process in here needs another user namespace, and the kernel has had many vulnerabilities in them.
echo 0 >/proc/sys/user/max_user_namespaces

# The filter is installed last, because it rejects calls that this script makes and that the task does not
# need. The flag 4 keeps speculative store bypass at its default; kernels before 4.17 do not support this
# flag.
if [ -n "$perl" ]; then
  exec 6<"$filter"
  # shellcheck disable=SC2016 # variables of Perl
  set -- "$perl" -e '
    open(my $in, "<&=", 6) or die "system call filter: $!\n";
    local $/ = undef;
    my $filter = <$in>;
    close($in);
    my $program = pack("Sx6P", length($filter) / 8, $filter);
    my $seccomp = shift(@ARGV) + 0;
    syscall($seccomp, 1, 4, $program) == 0
      or syscall($seccomp, 1, 0, $program) == 0
      or die "system call filter: $!\n";
    exec { $ARGV[0] } @ARGV;
    die "$ARGV[0]: $!\n";
  ' "$seccomp" "$@"
fi

"$mount" --no-mtab --rbind ./root ./root
cd ./root
# The host's root is at /tmp for a moment, and is then removed from this namespace permanently.
"$pivot_root" . tmp
"$umount" --no-mtab --lazy /tmp
cd /

# The limit is counted per user namespace, so that no task uses up the processes of another task.
ulimit -u 16384 2>/dev/null || ulimit -p 16384 2>/dev/null || :

exec "$setpriv" --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
  "$@"
