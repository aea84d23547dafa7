/*
 * The first process of a task's container, and the wrapper process of commands that users run in it.
 *
 *   init run LIMIT [PATH...]              runs the task: its precommands and its script; see run()
 *   init exec TOKEN SIZE COMMAND [ARGUMENT...]  runs an additional command; see exec_mode()
 *   init hangup TOKEN                     kills such a command and all processes that it started;
 *                                         see hang_up()
 *   init hangup -PREFIX                   kills all commands whose token does not begin with PREFIX
 *
 * The program must work in every image, so it uses only the kernel: no C library, no other program.
 * All its input may be hostile. It has no privileges that the task does not have.
 */
typedef unsigned long word;
typedef unsigned int u32;
typedef unsigned char byte;

#define PLATFORM_DIRECTORY "/usr/local/pai"
#define INIT_DIRECTORY PLATFORM_DIRECTORY "/.trainyard"

enum { ESRCH = 3, EINTR = 4, ECHILD = 10, EAGAIN = 11, EACCES = 13, ENOSPC = 28, EDQUOT = 122 };
enum { SIGHUP = 1, SIGINT = 2, SIGKILL = 9, SIGUSR1 = 10, SIGUSR2 = 12, SIGTERM = 15, SIGCHLD = 17 };
enum { O_WRONLY = 1, O_NONBLOCK = 04000, O_APPEND = 02000, O_CLOEXEC = 02000000 };
enum { AT_FDCWD = -100, POLLIN = 1, WNOHANG = 1, PR_SET_CHILD_SUBREAPER = 36, X_OK = 1, F_OK = 0, F_SETFL = 4, TIOCSWINSZ = 0x5414 };
enum { CHUNK_BYTES = 65536, TAIL_BYTES = 1 << 20 };
enum { EXIT_KILLED = 128 + SIGKILL, EXIT_NOT_FOUND = 127, EXIT_NOT_RUNNABLE = 126 };

#if defined(__x86_64__)
enum {
  NR_read = 0, NR_write = 1, NR_close = 3, NR_mmap = 9, NR_sigprocmask = 14, NR_getpid = 39,
  NR_clone = 56, NR_execve = 59, NR_exit = 60, NR_wait4 = 61, NR_kill = 62, NR_statfs = 137,
  NR_prctl = 157, NR_getdents64 = 217, NR_clock_gettime = 228, NR_openat = 257,
  NR_faccessat = 269, NR_ppoll = 271, NR_pwrite64 = 18, NR_signalfd4 = 289, NR_dup3 = 292,
  NR_pipe2 = 293, NR_lseek = 8, NR_fcntl = 72,
  NR_ioctl = 16
};
static long call6(long n, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start:\n xor %ebp,%ebp\n mov %rsp,%rdi\n and $-16,%rsp\n call begin\n");
#elif defined(__aarch64__)
enum {
  NR_dup3 = 24, NR_faccessat = 48, NR_openat = 56, NR_close = 57, NR_pipe2 = 59,
  NR_getdents64 = 61, NR_read = 63, NR_write = 64, NR_pwrite64 = 68, NR_ppoll = 73,
  NR_signalfd4 = 74, NR_exit = 93, NR_clock_gettime = 113, NR_kill = 129, NR_sigprocmask = 135,
  NR_prctl = 167, NR_getpid = 172, NR_clone = 220, NR_execve = 221, NR_mmap = 222, NR_wait4 = 260,
  NR_statfs = 43, NR_lseek = 62, NR_fcntl = 25, NR_ioctl = 29
};
static long call6(long n, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = n;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
__asm__(".globl _start\n_start:\n mov x29,#0\n mov x30,#0\n mov x0,sp\n bl begin\n");
#else
#error "unsupported architecture"
#endif

#define CALL(n, a, b, c, d) call6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* The compiler may generate calls of these functions. */
void *memset(void *target, int value, word count) {
  byte *position = target;
  while (count--) *position++ = (byte)value;
  return target;
}
void *memcpy(void *target, const void *source, word count) {
  byte *position = target;
  const byte *next = source;
  while (count--) *position++ = *next++;
  return target;
}

static word length(const char *text) {
  word n = 0;
  while (text[n]) n++;
  return n;
}
static int starts_with(const char *text, const char *prefix) {
  while (*prefix) {
    if (*text++ != *prefix++) return 0;
  }
  return 1;
}
static int equals(const char *a, const char *b) { return starts_with(a, b) && length(a) == length(b); }
static word parse_number(const char *text) {
  word n = 0;
  while (*text >= '0' && *text <= '9') n = n * 10 + (word)(*text++ - '0');
  return n;
}
static char *append(char *position, const char *text) {
  while (*text) *position++ = *text++;
  return position;
}
static char *append_number(char *position, word n) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = (char)('0' + n % 10);
    n /= 10;
  } while (n);
  while (count) *position++ = digits[--count];
  return position;
}

static __attribute__((noreturn)) void exit_process(int code) {
  for (;;) CALL(NR_exit, code, 0, 0, 0);
}
static long now_millis(void) {
  long time[2] = {0, 0};
  CALL(NR_clock_gettime, 1, time, 0, 0);
  return time[0] * 1000 + time[1] / 1000000;
}
static void *allocate(word bytes) {
  long address = call6(NR_mmap, 0, (long)bytes, 3, 0x22, -1, 0);
  return address < 0 && address > -4096 ? 0 : (void *)address;
}
static int exists(const char *path, int mode) {
  return CALL(NR_faccessat, AT_FDCWD, path, mode, 0) == 0;
}
static int open_file(const char *path, int flags) {
  return (int)CALL(NR_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}
/* Reads up to capacity - 1 bytes of a file and adds a zero byte. Reads until the end, because the
 * kernel may return its files in parts. */
static long read_file(const char *path, char *buffer, long capacity) {
  int file = open_file(path, 0);
  long count = 0;
  if (file < 0) return -1;
  while (count < capacity - 1) {
    long read_count = CALL(NR_read, file, buffer + count, capacity - 1 - count, 0);
    if (read_count == -EINTR) continue;
    if (read_count <= 0) break;
    count += read_count;
  }
  CALL(NR_close, file, 0, 0, 0);
  buffer[count] = 0;
  return count;
}
static void print_error(const char *name, const char *message) {
  char text[512];
  char *position = text;
  word i;
  for (i = 0; name[i] && position < text + 250; i++) *position++ = name[i];
  for (i = 0; message[i] && position < text + 500; i++) *position++ = message[i];
  *position++ = '\n';
  CALL(NR_write, 2, text, position - text, 0);
}

struct poll { int fd; short events, returned; };

static void wait_for(struct poll *polls, int count, long milliseconds) {
  long time[2] = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  call6(NR_ppoll, (long)polls, count, milliseconds < 0 ? 0 : (long)time, 0, 8, 0);
}

/* ---- the environment ---- */

static int equal_names(const char *a, const char *b) {
  while (*a == *b && *a && *a != '=') a++, b++;
  return *a == '=' && *b == '=';
}

/* Returns the container's variables, overridden by the variables of the file, in which each is
 * followed by a zero byte. */
static char **merge_environment(char **container_variables) {
  const char *path = INIT_DIRECTORY "/environment";
  int file = open_file(path, 0);
  long size = file < 0 ? 0 : CALL(NR_lseek, file, 0, 2, 0);
  char *text = 0, **variables, *position;
  word count = 0, file_count = 0, i, j;
  if (file >= 0) CALL(NR_close, file, 0, 0, 0);
  if (size > 0) {
    text = allocate((word)size + 2);
    if (!text || read_file(path, text, size + 1) != size) exit_process(EXIT_NOT_RUNNABLE);
    for (i = 0; i < (word)size; i++) file_count += text[i] == 0;
  }
  while (container_variables[count]) count++;
  variables = allocate((count + file_count + 2) * sizeof(char *));
  if (!variables) exit_process(EXIT_NOT_RUNNABLE);
  for (i = 0; i < count; i++) variables[i] = container_variables[i];
  for (position = text; file_count--; position += length(position) + 1) {
    for (j = 0; j < count && !equal_names(variables[j], position);) j++;
    variables[j] = position;
    if (j == count) count++;
  }
  variables[count] = 0;
  return variables;
}

static const char *find_variable(char **environment, const char *name) {
  for (; *environment; environment++) {
    if (equal_names(*environment, name)) return *environment + length(name);
  }
  return 0;
}

/* ---- signals ---- */

static word original_mask;

static int open_signals(word mask) {
  CALL(NR_sigprocmask, 0, &mask, &original_mask, 8);
  return (int)CALL(NR_signalfd4, -1, &mask, 8, O_CLOEXEC | O_NONBLOCK);
}
#define BIT(signal) (1ul << ((signal) - 1))

struct signal { u32 number, error, code, sender, unused[28]; };

static long fork_child(void) { return CALL(NR_clone, SIGCHLD, 0, 0, 0); }

static int exit_code(int status) {
  return (status & 127) ? 128 + (status & 127) : (status >> 8) & 255;
}

/* ---- the logs ---- */

/* An output stream that is copied to its log. While the disk is full, nothing is read, so that the
 * task blocks when it writes output. If the output exceeds the limit, its middle is dropped. */
struct stream {
  int read_end, write_end, log, open;
  word limit, written, pending_start, pending_end;
  byte *tail;
  word tail_count;
  byte pending[CHUNK_BYTES];
};
static struct stream streams[2];

/* Writes the pending bytes; returns 0 if the disk is full. */
static int flush(struct stream *s) {
  while (s->pending_start < s->pending_end) {
    long done = CALL(NR_write, s->log, s->pending + s->pending_start,
                     s->pending_end - s->pending_start, 0);
    if (done == -EINTR) continue;
    if (done == -ENOSPC || done == -EDQUOT) return 0;
    if (done < 0) break; /* the log cannot be written at all */
    s->pending_start += (word)done;
  }
  s->pending_start = s->pending_end = 0;
  return 1;
}

static void append_tail(struct stream *s, const byte *bytes, word count) {
  word i;
  if (!s->tail && !(s->tail = allocate(TAIL_BYTES))) return;
  for (i = 0; i < count; i++) s->tail[s->tail_count++ % TAIL_BYTES] = bytes[i];
}

/* Copies a chunk of output; returns whether there may be more. */
static int read_stream(struct stream *s) {
  long count;
  word fits;
  if (!s->open || !flush(s)) return 0;
  count = CALL(NR_read, s->read_end, s->pending, CHUNK_BYTES, 0);
  if (count == -EINTR) return 1;
  if (count == -EAGAIN) return 0;
  if (count <= 0) {
    s->open = 0;
    return 0;
  }
  fits = s->limit - s->written;
  if (fits > (word)count) fits = (word)count;
  if (fits < (word)count) append_tail(s, s->pending + fits, (word)count - fits);
  s->written += fits;
  s->pending_end = fits;
  flush(s);
  return 1;
}

static int write_all(struct stream *s, const byte *bytes, word count) {
  while (count) {
    word chunk = count > CHUNK_BYTES ? CHUNK_BYTES : count;
    memcpy(s->pending, bytes, chunk);
    s->pending_end = chunk;
    if (!flush(s)) return 0;
    bytes += chunk;
    count -= chunk;
  }
  return 1;
}

/* Copies the rest of the output, which is completely in the pipe, and the kept end of output that
 * exceeds the limit. Returns 0 if the disk is full. */
static int finish(struct stream *s) {
  int attempts = 10;
  for (;;) {
    if (!flush(s)) {
      if (attempts-- == 0) return 0;
      wait_for(0, 0, 200);
    } else if (!read_stream(s)) {
      if (s->pending_start == s->pending_end) break;
    }
  }
  if (s->tail_count) {
    char text[256], *position = append(text, "\n[trainyard: limit of ");
    if (s->limit % 1048576) {
      position = append(append_number(position, s->limit), " bytes");
    } else {
      position = append(append_number(position, s->limit / 1048576), " MB");
    }
    position = append(position,
                      " reached; what follows is the end of the output, the rest is left out]\n");
    if (!write_all(s, (byte *)text, (word)(position - text))) return 0;
    if (!s->tail) return 1;
    if (s->tail_count > TAIL_BYTES) {
      word start = s->tail_count % TAIL_BYTES;
      return write_all(s, s->tail + start, TAIL_BYTES - start) && write_all(s, s->tail, start);
    }
    return write_all(s, s->tail, s->tail_count);
  }
  return 1;
}

/* ---- the task ---- */

static int child, status, child_ended, stop_requested, from_outside, killing;

static void start_child(char **arguments, char **environment) {
  long pid = fork_child();
  if (pid == 0) {
    CALL(NR_dup3, streams[0].write_end, 1, 0, 0);
    CALL(NR_dup3, streams[1].write_end, 2, 0, 0);
    CALL(NR_sigprocmask, 2, &original_mask, 0, 8);
    CALL(NR_execve, arguments[0], arguments, environment, 0);
    print_error(arguments[0], ": can't be run");
    exit_process(EXIT_NOT_RUNNABLE);
  }
  child = (int)pid;
  if (pid < 0) {
    child_ended = 1;
    status = EXIT_NOT_RUNNABLE << 8;
  }
}

static void request_stop(int is_outside) {
  if (!stop_requested) {
    stop_requested = 1;
    from_outside = is_outside;
    CALL(NR_kill, -1, SIGTERM, 0, 0);
  }
}

static void kill_all(void) {
  killing = 1;
  CALL(NR_kill, -1, SIGKILL, 0, 0);
}

static void handle_signals(int signal_file) {
  struct signal info;
  int pid, wait_status;
  while (CALL(NR_read, signal_file, &info, sizeof info, 0) == sizeof info) {
    if (info.number == SIGUSR2) {
      stop_requested = 1;
      kill_all();
    } else if (info.number != SIGCHLD) {
      request_stop(info.sender == 0);
    }
  }
  while ((pid = (int)CALL(NR_wait4, -1, &wait_status, WNOHANG, 0)) > 0) {
    if (pid == child) {
      status = wait_status;
      child_ended = 1;
    }
  }
}

/* Waits for output and signals, at most for this time, and handles them. */
static void forward_output(int signal_file, long milliseconds) {
  struct poll polls[3];
  int count = 1, i, disk_full = 0;
  polls[0].fd = signal_file;
  polls[0].events = POLLIN;
  for (i = 0; i < 2; i++) {
    if (!flush(&streams[i])) {
      disk_full = 1;
    } else if (streams[i].open) {
      polls[count].fd = streams[i].read_end;
      polls[count++].events = POLLIN;
    }
  }
  wait_for(polls, count, disk_full && (milliseconds < 0 || milliseconds > 200) ? 200 : milliseconds);
  handle_signals(signal_file);
  for (i = 0; i < 2; i++) read_stream(&streams[i]);
}

static void create_pipes(void) {
  int ends[2], i;
  for (i = 0; i < 2; i++) {
    if (CALL(NR_pipe2, ends, O_CLOEXEC, 0, 0) < 0) exit_process(EXIT_NOT_RUNNABLE);
    streams[i].read_end = ends[0];
    streams[i].write_end = ends[1];
    streams[i].open = 1;
    /* Only the read end is non-blocking, because programs do not expect non-blocking output. */
    CALL(NR_fcntl, ends[0], F_SETFL, O_NONBLOCK, 0);
  }
}

static void run_child(int signal_file, char **arguments, char **environment) {
  child_ended = 0;
  start_child(arguments, environment);
  while (!child_ended) forward_output(signal_file, -1);
}

static int has_other_processes(void) { return CALL(NR_kill, -1, 0, 0, 0) != -ESRCH; }

static word out_of_memory_kills(void) {
  static const char *files[] = {"/sys/fs/cgroup/memory/memory.oom_control",
                                "/sys/fs/cgroup/memory.events"};
  char text[1024];
  int i;
  for (i = 0; i < 2; i++) {
    char *position = text;
    if (read_file(files[i], text, sizeof text) < 0) continue;
    for (; *position; position++) {
      if ((position == text || position[-1] == '\n') && starts_with(position, "oom_kill ")) {
        return parse_number(position + 9);
      }
    }
  }
  return 0;
}

/* Returns whether the file system is so full that this may be why the task failed. */
static int is_full(const char *path) {
  long info[32];
  memset(info, 0, sizeof info);
  return CALL(NR_statfs, path, info, 0, 0) == 0 && info[2] > 0 && info[4] * info[1] < 1048576;
}

static void write_end_record(int code, int signal, int disk_full, const char *suffix) {
  char text[256], *position = text;
  int file = open_file(INIT_DIRECTORY "/end", O_WRONLY);
  position = append_number(append(position, "code="), (word)code);
  position = append_number(append(position, " signal="), (word)signal);
  position = append_number(append(position, " oom="), out_of_memory_kills());
  position = append_number(append(position, " full="), (word)disk_full);
  position = append_number(append(position, " outside="), (word)from_outside);
  position = append(append(position, suffix), " .\n");
  CALL(NR_pwrite64, file, text, position - text, 0);
}

static const char *find_shell(void) {
  static const char *shells[] = {"/bin/bash", "/usr/bin/bash", "/bin/sh", "/usr/bin/sh"};
  int i;
  for (i = 0; i < 4; i++) {
    if (exists(shells[i], X_OK)) return shells[i];
  }
  return 0;
}

static const char *first_existing(const char *path, const char *fallback) {
  return exists(path, F_OK) ? path : fallback;
}

static void run_script(int signal_file, const char *shell, char **environment) {
  char *arguments[5];
  int count = 0;
  arguments[count++] = (char *)shell;
  if (exists(PLATFORM_DIRECTORY "/runtime.d/around.sh", F_OK)) {
    arguments[count++] = PLATFORM_DIRECTORY "/runtime.d/around.sh";
    arguments[count++] = PLATFORM_DIRECTORY "/secrets";
  }
  arguments[count++] =
      (char *)first_existing(PLATFORM_DIRECTORY "/secrets/user.sh",
                             PLATFORM_DIRECTORY "/runtime.d/user.sh");
  arguments[count] = 0;
  run_child(signal_file, arguments, environment);
}

/* After a stop request, waits until all processes have ended, because they may be saving data.
 * Without a stop request, the task ends with its script, and background processes are killed. */
static void end_remaining_processes(int signal_file) {
  long deadline = 0;
  if (!stop_requested) kill_all();
  while (has_other_processes()) {
    if (killing && !deadline) deadline = now_millis() + 2000;
    /* The kernel kills the remaining processes when this process exits. */
    if (killing && now_millis() > deadline) return;
    forward_output(signal_file, 20);
  }
}

static void run(int count, char **arguments, char **container_variables) {
  word mask = BIT(SIGCHLD) | BIT(SIGTERM) | BIT(SIGINT) | BIT(SIGHUP) | BIT(SIGUSR2);
  int signal_file = open_signals(mask), i, disk_full = 0, code;
  const char *shell = find_shell();
  const char *precommands =
      first_existing(PLATFORM_DIRECTORY "/secrets/precommands.sh",
                     PLATFORM_DIRECTORY "/runtime.d/precommands.sh");
  char **environment = merge_environment(container_variables);
  for (i = 0; i < 2; i++) {
    streams[i].log = open_file(i ? INIT_DIRECTORY "/stderr" : INIT_DIRECTORY "/stdout",
                               O_WRONLY | O_APPEND);
    streams[i].limit = parse_number(arguments[0]);
    if (streams[i].log < 0) exit_process(EXIT_NOT_RUNNABLE);
  }
  create_pipes();
  if (!shell) {
    write_end_record(EXIT_NOT_FOUND, 0, 0, " noshell=1");
    exit_process(EXIT_NOT_FOUND);
  }
  /* A signal that arrived before this process waited for signals is lost; the file is not. */
  if (exists(INIT_DIRECTORY "/stop", F_OK)) stop_requested = 1;
  status = SIGTERM;
  if (!stop_requested && exists(precommands, F_OK)) {
    /* The precommands end the task only if they call exit with a nonzero code. */
    char *preparation_arguments[] = {(char *)shell, "-c", ". \"$0\"\nexit 0", (char *)precommands, 0};
    run_child(signal_file, preparation_arguments, environment);
    if (status == 0 && stop_requested) status = SIGTERM;
    else if (status == 0) run_script(signal_file, shell, environment);
  } else if (!stop_requested) {
    run_script(signal_file, shell, environment);
  }
  code = exit_code(status);
  /* Checked immediately, because space may be freed while the rest of the output waits for it. */
  for (i = 1; code && i < count; i++) disk_full |= is_full(arguments[i]);
  end_remaining_processes(signal_file);
  for (i = 0; i < 2; i++) disk_full |= !finish(&streams[i]);
  write_end_record(code, status & 127, disk_full, "");
  exit_process(code);
}

/* ---- additional commands ---- */

static void execute(char **arguments, char **environment) {
  const char *path = find_variable(environment, "PATH=");
  char candidate[4096 + 256];
  long access_error = 0;
  if (!path) path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  if (arguments[0][0] == 0 || length(arguments[0]) > 255) path = "";
  for (const char *character = arguments[0]; *character; character++) {
    if (*character == '/') {
      access_error = CALL(NR_execve, arguments[0], arguments, environment, 0);
      print_error(arguments[0], ": can't be run");
      exit_process(access_error == -EACCES ? EXIT_NOT_RUNNABLE : EXIT_NOT_FOUND);
    }
  }
  while (*path) {
    char *position = candidate;
    long error;
    while (*path && *path != ':' && position < candidate + 4000) *position++ = *path++;
    if (position == candidate) *position++ = '.';
    *position++ = '/';
    *append(position, arguments[0]) = 0;
    error = CALL(NR_execve, candidate, arguments, environment, 0);
    if (error == -EACCES) access_error = error;
    while (*path && *path != ':') path++;
    if (*path) path++;
  }
  print_error(arguments[0], access_error ? ": may not be run" : ": not found");
  exit_process(access_error ? EXIT_NOT_RUNNABLE : EXIT_NOT_FOUND);
}

/* Runs a command as the wrapper process. All processes that the command starts stay descendants of
 * the wrapper, even if they leave its session, so that hang_up() finds them. After a hangup request,
 * the wrapper exits when it has no descendants left. */
static void exec_mode(const char *size, char **arguments, char **container_variables) {
  word mask = ~0ul;
  int signal_file = open_signals(mask), wait_status, hangup_requested = 0, pid;
  char **environment = merge_environment(container_variables);
  struct poll signal_poll = {signal_file, POLLIN, 0};
  long command_pid;
  if (*size >= '0' && *size <= '9') {
    /* Sets the size of the terminal (COLUMNSxROWS) before the command can read it. */
    unsigned short window[4] = {0, (unsigned short)parse_number(size), 0, 0};
    while (*size >= '0' && *size <= '9') size++;
    if (*size) window[0] = (unsigned short)parse_number(size + 1);
    CALL(NR_ioctl, 0, TIOCSWINSZ, window, 0);
  }
  CALL(NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0);
  command_pid = fork_child();
  if (command_pid == 0) {
    CALL(NR_sigprocmask, 2, &original_mask, 0, 8);
    execute(arguments, environment);
  }
  if (command_pid < 0) exit_process(EXIT_NOT_RUNNABLE);
  for (;;) {
    struct signal info;
    wait_for(&signal_poll, 1, -1);
    while (CALL(NR_read, signal_file, &info, sizeof info, 0) == sizeof info) {
      if (info.number == SIGUSR1) hangup_requested = 1;
    }
    while ((pid = (int)CALL(NR_wait4, -1, &wait_status, WNOHANG, 0)) > 0) {
      if (pid == command_pid && !hangup_requested) exit_process(exit_code(wait_status));
    }
    if (hangup_requested && pid == -ECHILD) exit_process(EXIT_KILLED);
  }
}

/* ---- killing additional commands ---- */

enum { MAX_PROCESSES = 32768 };
static int table[MAX_PROCESSES][3]; /* process ID, parent, whether the process belongs to a command */
static int process_count;

static char *process_file(char *buffer, int pid, const char *name) {
  *append(append_number(append(buffer, "/proc/"), (word)pid), name) = 0;
  return buffer;
}

static int parent_of(int pid) {
  char path[64], text[1024], *position, *name_end = 0;
  if (read_file(process_file(path, pid, "/stat"), text, sizeof text) < 0) return -1;
  for (position = text; *position; position++) {
    /* The last parenthesis ends the name, which may contain any character. */
    if (*position == ')') name_end = position;
  }
  if (!name_end || name_end[1] != ' ' || name_end[2] == 'Z' || name_end[2] == 'X') return -1;
  return (int)parse_number(name_end + 4);
}

static void read_table(void) {
  static char entries[32768];
  int directory = open_file("/proc", 0);
  long count;
  process_count = 0;
  while ((count = CALL(NR_getdents64, directory, entries, sizeof entries, 0)) > 0) {
    long offset = 0;
    while (offset < count) {
      char *name = entries + offset + 19;
      if (*name >= '1' && *name <= '9' && process_count < MAX_PROCESSES) {
        table[process_count][0] = (int)parse_number(name);
        table[process_count][1] = parent_of(table[process_count][0]);
        table[process_count][2] = 0;
        if (table[process_count][1] >= 0) process_count++;
      }
      offset += *(unsigned short *)(entries + offset + 16);
    }
  }
  CALL(NR_close, directory, 0, 0, 0);
}

static int is_wrapper(int pid, const char *token) {
  char path[64], text[512], *argument;
  long size = read_file(process_file(path, pid, "/cmdline"), text, sizeof text);
  if (size < 0 || !equals(text, INIT_DIRECTORY "/init")) return 0;
  argument = text + length(text) + 1;
  if (argument >= text + size || !equals(argument, "exec")) return 0;
  argument += 5;
  if (argument >= text + size) return 0;
  return *token == '-' ? !starts_with(argument, token + 1) : equals(argument, token);
}

/* Kills the descendants of the wrapper until none is left; repeated because new processes may start
 * in the meantime. */
static void kill_below(int wrapper) {
  long deadline = now_millis() + 10000;
  int killed = 1;
  while (killed && now_millis() < deadline) {
    int changed = 1, i, j;
    killed = 0;
    read_table();
    while (changed) {
      changed = 0;
      for (i = 0; i < process_count; i++) {
        int is_below = table[i][1] == wrapper;
        for (j = 0; j < process_count && !is_below && !table[i][2]; j++) {
          is_below = table[j][2] && table[j][0] == table[i][1];
        }
        if (is_below && !table[i][2]) changed = table[i][2] = 1;
      }
    }
    for (i = 0; i < process_count; i++) {
      if (table[i][2] && CALL(NR_kill, table[i][0], SIGKILL, 0, 0) == 0) killed = 1;
    }
    if (killed) wait_for(0, 0, 5);
  }
}

static void hang_up(const char *token) {
  int wrappers[1024], count = 0, i;
  read_table();
  for (i = 0; i < process_count && count < 1024; i++) {
    if (is_wrapper(table[i][0], token)) wrappers[count++] = table[i][0];
  }
  for (i = 0; i < count; i++) CALL(NR_kill, wrappers[i], SIGUSR1, 0, 0);
  for (i = 0; i < count; i++) kill_below(wrappers[i]);
  exit_process(count ? 0 : 3);
}

__attribute__((noreturn, used)) void begin(long *stack) {
  long count = stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  if (count >= 3 && equals(arguments[1], "run")) {
    run((int)count - 2, arguments + 2, environment);
  } else if (count >= 5 && equals(arguments[1], "exec")) {
    exec_mode(arguments[3], arguments + 4, environment);
  } else if (count == 3 && equals(arguments[1], "hangup")) {
    hang_up(arguments[2]);
  }
  exit_process(EXIT_NOT_RUNNABLE);
}
