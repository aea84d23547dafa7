#!/bin/sh
# Leaves the machine's root for that of the task, and goes on there without any rights.
#
# usage: user-pivot.sh MOUNT PIVOT_ROOT UMOUNT SETPRIV PERL SECCOMP FILTER SH SCRIPT
#   MOUNT, PIVOT_ROOT, UMOUNT, SETPRIV, PERL, SH  absolute paths of these programs
#   SECCOMP number of this system call
#   FILTER  file with the BPF program that filters system calls; PERL is empty for none
#   SCRIPT  of the task, run by SH in the task's root
#
# It runs in a user and a mount namespace of the task's own. The mounts came from those of the
# supervisor, and as that has more rights the kernel has locked them: whatever rights a program of
# the task might get in here, it can't take away what covers something else.
set -eu
mount=$1 pivot_root=$2 umount=$3 setpriv=$4 perl=$5 seccomp=$6 filter=$7
shift 7

# Nobody in here needs a further user namespace, and the kernel has had enough faults in them.
echo 0 >/proc/sys/user/max_user_namespaces

# Installed last, because the task needs none of the calls that are made here. The flag 4 keeps
# speculative store bypass at its default; kernels before 4.17 do not know it.
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
# The machine's own root is at /tmp for a moment, and then out of this namespace for good.
"$pivot_root" . tmp
"$umount" --no-mtab --lazy /tmp
cd /

# Counted for this user namespace, so that no task takes the processes of another.
ulimit -u 16384 2>/dev/null || ulimit -p 16384 2>/dev/null || :

exec "$setpriv" --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all \
  "$@"
