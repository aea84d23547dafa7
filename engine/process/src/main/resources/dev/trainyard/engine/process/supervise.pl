# Starts tasks, copies their output to the logs and records their ends. Does what supervise.sh does together
# with cat, nsenter and setpriv, in one process instead of six, because starting programs is most of the cost
# of a short task. For the same reason it loads no modules, and one process per server loads this file and
# forks the supervisors. The supervisors outlive the server; the process that forks them does not.
#
# usage: supervise.pl CALLS SERVER
#   CALLS         numbers of the required system calls, separated by commas; see PerlSupervisors
#   SERVER        process ID of the server, which requests supervisors
#
# It reads frames from stdin, each preceded by its length (32 bits, big-endian). The first is the BPF program
# that filters the system calls of tasks; it is empty if there is no filter. The others are requests; the
# response to each is a line with the process ID of the supervisor, or an error message. A request consists of
# texts separated by zero bytes:
#   THREAD        thread of the server; the supervisor enters its UTS and IPC namespaces, the task
#                 also its mount namespace
#   GO            descriptor of the server, from which the supervisor reads the line to begin
#   USERS         descriptor of the server: the user namespace of the task
#   TASK          directory of the task
#   PROC          the /proc of the task's PID namespace, whose first process this is, in the mount
#                 namespace of the task
#   LOGS          directory that receives stdout and stderr
#   LIMIT         maximum size of each log, in blocks of 512 bytes
#   GROUPS        number of control groups that follow; the group with the memory controller is first
#   PLACES        number of directories that follow, which the task writes to
#   ROOT          root directory of the task, in its mount namespace
#   CAPABILITIES  capabilities that the task keeps in its user namespace, separated by commas
#   GROUP... PLACE... COMMAND...  COMMAND runs the task, in its root
#
# Files and descriptors are those of supervise.sh, but stderr is written through 7 and not 6. There are no
# copiers: their process IDs are recorded as -1. Descriptor 8 is PROC.

my ($calls, $server) = @ARGV;
my ($setns, $prctl, $setgroups, $setgid, $setuid, $dup, $statfs, $prlimit, $unshare, $keyctl, $setsid,
  $seccomp, $mount)
  = map { $_ + 0 } split(/,/, $calls);
my $pidfd_open = 434;
my ($EINTR, $EAGAIN, $ENOSPC, $EDQUOT) = (4, 11, 28, 122);
my $NEW_PIDS = 0x20000000;
my $TAIL = 1 << 20;
my %tools = (PATH => $ENV{PATH}, LC_ALL => $ENV{LC_ALL});

# Disables core files of all processes started here, which could fill the task's directory or a directory of a
# user.
my $none = pack('Q2', 0, 0);
syscall($prlimit, 0, 4, $none, 0);

sub first_line {
  my ($file) = @_;
  open(my $in, '<', $file) or return '';
  my $line = <$in>;
  chomp($line);
  return $line;
}

my $boot = first_line('/proc/sys/kernel/random/boot_id');

# Reserves the descriptors that supervisors use, so that later descriptors get higher numbers.
syscall($dup, 2, $_, 0) for (3 .. 9);
open(my $own_pids, '<', '/proc/self/ns/pid') or exit 1;
$SIG{CHLD} = 'IGNORE';    # the kernel reaps supervisors itself

sub read_exactly {
  my ($count) = @_;
  my $bytes = '';
  while (length($bytes) < $count) {
    sysread(STDIN, $bytes, $count - length($bytes), length($bytes)) or exit 0;    # the server has ended
  }
  return $bytes;
}

sub read_frame {
  return read_exactly(unpack('N', read_exactly(4)));
}

my $filter = read_frame();

sub open_file {
  my ($file, $flags) = @_;
  sysopen(my $handle, $file, $flags) or die "$file: $!\n";
  return $handle;
}

sub duplicate_to {
  my ($handle, $number) = @_;
  syscall($dup, fileno($handle), $number, 0) >= 0 or die "descriptor $number: $!\n";
}

# The server's descriptors are opened before the response is sent, because the server may then close them.
my ($go_pipe, $users, @namespaces);

sub fork_supervisor {
  my $thread = shift(@ARGV);
  ($go_pipe, $users) = map { open_file("/proc/$server/fd/$_", 0) } splice(@ARGV, 0, 2);
  @namespaces = map { open_file("/proc/$server/task/$thread/ns/$_", 0) } ('uts', 'ipc', 'mnt');
  syscall($unshare, $NEW_PIDS) == 0 or die "pid namespace: $!\n";
  my $child = fork();
  if (!defined($child) || $child != 0) {
    my $problem = $!;
    syscall($setns, fileno($own_pids), $NEW_PIDS) == 0 or exit 1;
    defined($child) or die "fork: $problem\n";
  }
  return $child;
}

while (1) {
  @ARGV = split(/\0/, read_frame(), -1);
  my $child = eval { fork_supervisor(); };
  last if defined($child) && $child == 0;
  ($go_pipe, $users, @namespaces) = ();    # otherwise a task's mounts would outlive it
  my $answer = $child // $@;
  $answer =~ s/\n//;
  syswrite(STDOUT, "$answer\n") or exit 0;
}

# From here on, this process is a supervisor.
$SIG{CHLD} = 'DEFAULT';
close($own_pids);
duplicate_to($go_pipe, 0);
duplicate_to(open_file('/dev/null', 1), 1);
duplicate_to($users, 9);
my $mounts = pop(@namespaces);
for my $namespace (@namespaces) {
  syscall($setns, fileno($namespace), 0) == 0 or exit 1;
}
($go_pipe, $users, @namespaces) = ();
my ($task, $proc, $logs, $limit, $groups, $places, $root, $capabilities) = splice(@ARGV, 0, 8);
my @groups = splice(@ARGV, 0, $groups);
my @places = splice(@ARGV, 0, $places);
$limit *= 512;
$0 = "supervise.pl $task";
syscall($keyctl, 1, 0, 0, 0, 0) >= 0 or exit 1;    # drops the server's keys
syscall($setsid);
chdir($task) or exit 1;
duplicate_to(open_file('error', 1), 2);
for my $stream (['out', 3, 5], ['err', 4, 7]) {
  my ($name, $reading, $writing) = @$stream;
  my $both = open_file($name, 2);    # otherwise each end would wait for the other
  duplicate_to(open_file($name, 0), $reading);
  duplicate_to(open_file($name, 1), $writing);
}
close_descriptors(6);    # 8 becomes PROC

# The server may end at any time, even before everything is prepared for the task. In that case no line
# arrives.
my $go = '';
sysread(STDIN, $go, 16) or exit 1;
open(STDIN, '<', '/dev/null');

# The host's files are not in the task's mount namespace, so this process enters that namespace only for a
# moment. The server also uses descriptor 8 to find processes of the task; see TaskDirectory.
my $host_mounts = open_file('/proc/self/ns/mnt', 0);
syscall($setns, fileno($mounts), 0) == 0 or exit 1;
if ($go =~ /mount/) {
  my ($type, $options) = ('proc', 'hidepid=invisible');    # perl requires writable arguments
  syscall($mount, $type, $proc, $type, 2 | 4 | 8, $options) == 0 or exit 1;
}
syscall($dup, fileno(open_file($proc, 0)), 8, 0x80000) >= 0 or exit 1;
$proc = '/proc/self/fd/8';
syscall($setns, fileno($host_mounts), 0) == 0 or exit 1;
chdir($task) or exit 1;
undef $host_mounts;

# Only the creator of the claim continues: a second supervisor, or a supervisor that starts after a stop,
# exits.
my $claim;
sysopen($claim, 'claim', 1 | 64 | 128) or exit 1;
close($claim);

# The file is closed by exec, because a task that could write to the file could forge its state. The flag is
# set explicitly, because perl does not close a descriptor for which it has another handle.
my $state;
sysopen($state, 'state', 1 | 1024) or exit 1;
fcntl($state, 2, 1) or exit 1;
$^F = 9;

# FIFO with the names of additional commands that users run in the task; see exec-channel.sh. Only the
# server can write to it.
my $request_fifo;
if (sysopen($request_fifo, 'platform/exec/request', 2 | 2048)) {
  fcntl($request_fifo, 2, 1) or exit 1;
  undef $request_fifo if (stat($request_fifo))[4] != $>;    # created for a listener inside the task
}

my ($number, $rest) = first_line('/proc/self/stat') =~ /^([0-9]+) .*\) (.*)$/;
my $birth = (split(/ /, $rest))[19];
syswrite($state, "supervisor $number $birth $boot -1 -1 .\n") or exit 1;

# Runs as root of the host and gives up, in this order, the host's root directory, all privileges outside the
# user namespace, and the capabilities inside the namespace that a task does not need. No file of the task's
# root is executed before the last step, so no such file runs with privileges outside the user namespace,
# whatever the file contains. The task may stop this process as soon as it is in the user namespace; from then
# on the process must have nothing that the task may not have.
sub enter_sandbox {
  for my $group (@groups) {
    my $tasks;
    sysopen($tasks, "$group/cgroup.procs", 1) or die "$group: $!\n";
    syswrite($tasks, '0') or die "$group: $!\n";
    close($tasks);
  }
  # The server may be protected from the OOM killer and have a stricter umask. A task does not inherit these
  # settings.
  if (sysopen(my $score, '/proc/self/oom_score_adj', 1)) {
    syswrite($score, '0');
  }
  umask(022);
  syscall($prctl, 4, 0, 0, 0, 0) == 0 or die "dumpable: $!\n";
  syscall($setns, fileno($mounts), 0x20000) == 0 or die "mount namespace: $!\n";
  chdir($root) or die "$root: $!\n";
  chroot('.') or die "$root: $!\n";
  syscall($setns, 9, 0x10000000) == 0 or die "user namespace: $!\n";
  syscall($setgroups, 0, 0) == 0 or die "groups: $!\n";
  syscall($setgid, 0, 0, 0) == 0 or die "group: $!\n";
  syscall($setuid, 0, 0, 0) == 0 or die "user: $!\n";
  filter_calls();
  my %kept = map { $_ => 1 } split(/,/, $capabilities);
  for (my $capability = 0; syscall($prctl, 23, $capability, 0, 0, 0) >= 0; $capability++) {
    next if $kept{$capability};
    syscall($prctl, 24, $capability, 0, 0, 0) == 0 or die "capability $capability: $!\n";
  }
  close_descriptors(3 .. 5, 8, 9);
  undef $mounts;
}

# While this process still has CAP_SYS_ADMIN in the user namespace the kernel accepts the filter without
# no_new_privs, which would disable sudo in tasks. The flag keeps speculative store bypass at its default.
sub filter_calls {
  return if !length($filter);
  my $program = pack('Sx6P', length($filter) / 8, $filter);
  syscall($seccomp, 1, 4, $program) == 0 or die "system call filter: $!\n";
}

sub close_descriptors {
  for my $descriptor (@_) {
    open(my $closed, '<&=', $descriptor);
    close($closed);
  }
}

# Executes launch.sh; see LaunchScript.
sub launch {
  my (@command) = @_;
  %ENV = %tools;
  exec { $command[0] } @command;
  die "$command[0]: $!\n";
}

# Does what launch.sh does, without an additional shell. The file environment contains the working directory,
# the script and the variables.
sub run_task {
  open(my $file, '<', 'environment') or die "environment: $!\n";
  local $/ = undef;
  my ($directory, $script, @variables) = split(/\0/, <$file>);
  close($file);
  my $prepared = !-e 'platform/runtime.d/precommands.sh' && !-e 'platform/runtime.d/around.sh';
  syscall($dup, 5, 1, 0) >= 0 or die "stdout: $!\n";
  enter_sandbox();
  chdir($directory) or die "$directory: $!\n";
  syswrite($state, "started\n") or die "state: $!\n";
  syscall($dup, 7, 2, 0) >= 0 or die "stderr: $!\n";
  close_descriptors(7);
  launch(@ARGV, '-') if !$prepared;
  %ENV = map { split(/=/, $_, 2) } @variables;
  for my $shell ('/bin/bash', '/usr/bin/bash', '/bin/sh') {
    exec { $shell } $shell, $script if -x $shell;
  }
  die "/bin/sh: $!\n";
}

my $main = fork();
defined($main) or exit 1;
if (!$main) {
  eval { run_task(); };
  print STDERR $@;
  exit(126);
}
$^F = 2;
# Descriptor 9 stays open: it is the user namespace, which later commands enter.
close_descriptors(5, 7);
$SIG{CHLD} = sub { };
$SIG{XFSZ} = 'IGNORE';
my $main_pidfd = syscall($pidfd_open, $main, 0);
my $status;

# One stream that is copied to its log. Data that could not be written yet is kept, and nothing more is read:
# while the disk is full, the task blocks when it prints. If the output exceeds the limit, its middle is
# dropped.
sub stream {
  my ($descriptor, $name) = @_;
  open(my $in, '<&=', $descriptor);
  fcntl($in, 4, 2048);
  my $out;
  sysopen($out, "$logs/$name", 1 | 64 | 1024, 0644);
  return { in => $in, out => $out, number => $descriptor, name => $name, pending => '', written => 0,
    full => 0, tail => undef, open => 1 };
}

# Returns false while data remains that cannot be written because the disk is full.
sub flush {
  my ($stream) = @_;
  while (length($stream->{pending})) {
    if (!defined($stream->{out})) {
      sysopen($stream->{out}, "$logs/$stream->{name}", 1 | 64 | 1024, 0644);
    }
    my $count = defined($stream->{out}) ? syswrite($stream->{out}, $stream->{pending}) : undef;
    if (!defined($count)) {
      next if $! == $EINTR;
      if ($! != $ENOSPC && $! != $EDQUOT) {
        $stream->{pending} = '';    # the log cannot be opened or written at all
        return 1;
      }
      $stream->{full} = 1;
      return 0;
    }
    $stream->{full} = 0;
    substr($stream->{pending}, 0, $count) = '';
  }
  return 1;
}

sub read_stream {
  my ($stream) = @_;
  my $count = sysread($stream->{in}, my $bytes, 65536);
  if (!defined($count)) {
    return 0 if $! == $EAGAIN || $! == $EINTR;
    $count = 0;
  }
  if ($count == 0) {
    $stream->{open} = 0;
    return 0;
  }
  if (defined($stream->{tail})) {
    $stream->{tail} .= $bytes;
    if (length($stream->{tail}) > 2 * $TAIL) {
      $stream->{tail} = substr($stream->{tail}, -$TAIL);
    }
    return 1;
  }
  my $remaining = $limit - $stream->{written};
  if ($count > $remaining) {
    $stream->{pending} .= substr($bytes, 0, $remaining);
    $stream->{tail} = substr($bytes, $remaining);
    $stream->{written} = $limit;
  } else {
    $stream->{pending} .= $bytes;
    $stream->{written} += $count;
  }
  flush($stream);
  return 1;
}

my @streams = (stream(3, 'stdout'), stream(4, 'stderr'));

# Starts the requested commands, in the same way as the task itself. When a command has ended, "gone" is
# reported to its client, because the command may have ended before it could report anything.
my $unread_requests = '';
my %commands;

sub read_requests {
  my $count = sysread($request_fifo, $unread_requests, 4096, length($unread_requests));
  my @names;
  while (defined($count) && $unread_requests =~ s/^(.*)\n//) {
    my $name = $1;
    push(@names, $name) if $name =~ /^[0-9a-f]+$/;
  }
  return @names;
}

sub report_gone {
  my ($name) = @_;
  local $SIG{PIPE} = 'IGNORE';
  sysopen(my $report, "platform/exec/$name/code", 1 | 2048) and syswrite($report, "gone\n");
}

sub reap {
  my ($child) = @_;
  report_gone(delete($commands{$child})) if exists($commands{$child});
}

sub start_requested_commands {
  for my $name (read_requests()) {
    my $child = fork();
    if (!defined($child)) {
      report_gone($name);
    } elsif ($child) {
      $commands{$child} = $name;
    } else {
      $SIG{CHLD} = $SIG{XFSZ} = 'DEFAULT';
      open(STDOUT, '>', '/dev/null');
      open(STDERR, '>', '/dev/null');
      eval {
        enter_sandbox();
        launch(@ARGV, $name);
      };
      exit(126);
    }
  }
}

# Waits for an event, up to the given time, and handles it.
sub handle_events {
  my ($seconds) = @_;
  my $wanted = '';
  for my $stream (@streams) {
    if ($stream->{full} && !flush($stream)) {
      $seconds = 0.5 if $seconds > 0.5;
    } elsif ($stream->{open}) {
      vec($wanted, $stream->{number}, 1) = 1;
    }
  }
  vec($wanted, $main_pidfd, 1) = 1 if defined($main_pidfd);
  vec($wanted, fileno($request_fifo), 1) = 1 if defined($request_fifo) && !defined($status);
  my $ready = $wanted;
  select($ready, undef, undef, $seconds) > 0 or return;
  for my $stream (@streams) {
    read_stream($stream) if vec($ready, $stream->{number}, 1);
  }
  start_requested_commands() if defined($request_fifo) && !defined($status) && vec($ready, fileno($request_fifo), 1);
}

while (!defined($status)) {
  # The time is limited, so that an orphan that ends between the check and the wait is reaped a little later.
  handle_events(2);
  while ((my $ended = waitpid(-1, 1)) > 0) {
    $status = $? if $ended == $main;
    reap($ended);
  }
}
my $code = $status & 127 ? 128 + ($status & 127) : $status >> 8;
undef $main_pidfd;

# Checks whether a full disk may be the cause of the failure; root may still write where ordinary users
# cannot. Checked immediately, because space may be freed while the rest of the output waits for space.
my $full = 0;
if ($code != 0) {
  for my $place ('.', $logs, @places) {
    my $info = "\0" x 256;
    my $path = "$place";    # perl requires writable arguments
    next if syscall($statfs, $path, $info) != 0;
    my (undef, $block, undef, undef, $available) = unpack('q5', $info);
    $full = 1 if $available * $block < 1048576;
  }
}

sub other_processes_exist {
  opendir(my $all, $proc) or return 0;
  for my $number (readdir($all)) {
    next if $number !~ /^[0-9]+$/ || $number == 1;
    open(my $in, '<', "$proc/$number/stat") or next;
    local $/;    # a process name may contain line breaks
    return 1 if (<$in> // '') =~ /^.*\) ([^ZX])/s;
  }
  return 0;
}

# After a stop, every process may finish what it is saving. Without a stop, the task ends with the script, and
# its background processes are killed.
if (-l 'stop') {
  while (other_processes_exist()) {
    handle_events(0.02);
    reap($_) while ($_ = waitpid(-1, 1)) > 0;
  }
} else {
  kill('KILL', -1);
}
$SIG{CHLD} = 'DEFAULT';
reap($_) while ($_ = waitpid(-1, 0)) > 0;
if (defined($request_fifo)) {
  report_gone($_) for read_requests();
}

# All remaining output is in the FIFOs by now, even if other processes still have them open.
my $lost = 0;
for my $stream (@streams) {
  my $retries = 10;
  while (1) {
    if (!flush($stream)) {
      if ($retries-- == 0) {
        $lost = 1;
        last;
      }
      select(undef, undef, undef, 0.2);
    } elsif (!read_stream($stream)) {
      last;
    }
  }
  if (defined($stream->{tail}) && !$lost) {
    my $what = $limit % 1048576 ? "$limit bytes" : ($limit / 1048576) . ' MB';
    my $rest = length($stream->{tail}) > $TAIL ? substr($stream->{tail}, -$TAIL) : $stream->{tail};
    $stream->{pending} = "\n[trainyard: limit of $what reached; what follows is the end of the output,"
      . " the rest is left out]\n$rest";
    flush($stream) or $lost = 1;
  }
}

my $oom = 0;
if (@groups) {
  for my $file ('memory.oom_control', 'memory.events') {
    open(my $in, '<', "$groups[0]/$file") or next;
    while (my $line = <$in>) {
      $oom = $1 if $line =~ /^oom_kill ([0-9]+)/;
    }
  }
}

$full ||= $lost;
until (syswrite($state, "end code=$code oom=$oom full=$full .\n")) {
  sleep(1);
}
