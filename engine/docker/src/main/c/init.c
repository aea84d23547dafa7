/*
 * The first process of a task's container, and the wrapper of commands that users run in it.
 *
 *   init run LIMIT [PLACE...]   runs the task: its preparation, its script; see run()
 *   init exec TOKEN SIZE WORD...  runs a command in the container; see exec_mode()
 *   init hangup TOKEN           kills such a command and all processes that it started; see hang_up()
 *   init hangup -BEGINNING      kills all commands whose token does not begin with BEGINNING
 *
 * It must work in every image, so it uses nothing but the kernel: no C library, no other program.
 * Everything it reads may be hostile; it has no right that the task does not have.
 */
typedef unsigned long word;
typedef unsigned int u32;
typedef unsigned char byte;

#define PLATFORM "/usr/local/pai"
#define OURS PLATFORM "/.trainyard"

enum { ESRCH = 3, EINTR = 4, ECHILD = 10, EAGAIN = 11, EACCES = 13, ENOSPC = 28, EDQUOT = 122 };
enum { SIGHUP = 1, SIGINT = 2, SIGKILL = 9, SIGUSR1 = 10, SIGUSR2 = 12, SIGTERM = 15, SIGCHLD = 17 };
enum { O_WRONLY = 1, O_NONBLOCK = 04000, O_APPEND = 02000, O_CLOEXEC = 02000000 };
enum { AT_FDCWD = -100, POLLIN = 1, WNOHANG = 1, PR_SET_CHILD_SUBREAPER = 36, X_OK = 1, F_OK = 0, F_SETFL = 4, TIOCSWINSZ = 0x5414 };
enum { CHUNK = 65536, TAIL = 1 << 20, KILLED = 128 + SIGKILL, NOT_FOUND = 127, NOT_RUNNABLE = 126 };

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
#error "no such machine"
#endif

#define CALL(n, a, b, c, d) call6(n, (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

/* The compiler may generate calls of these functions. */
void *memset(void *to, int value, word count) {
  byte *at = to;
  while (count--) *at++ = (byte)value;
  return to;
}
void *memcpy(void *to, const void *from, word count) {
  byte *at = to;
  const byte *source = from;
  while (count--) *at++ = *source++;
  return to;
}

static word length(const char *text) {
  word n = 0;
  while (text[n]) n++;
  return n;
}
static int starts(const char *text, const char *with) {
  while (*with) {
    if (*text++ != *with++) return 0;
  }
  return 1;
}
static int same(const char *a, const char *b) { return starts(a, b) && length(a) == length(b); }
static word number(const char *text) {
  word n = 0;
  while (*text >= '0' && *text <= '9') n = n * 10 + (word)(*text++ - '0');
  return n;
}
static char *put(char *at, const char *text) {
  while (*text) *at++ = *text++;
  return at;
}
static char *put_number(char *at, word n) {
  char digits[24];
  int count = 0;
  do {
    digits[count++] = (char)('0' + n % 10);
    n /= 10;
  } while (n);
  while (count) *at++ = digits[--count];
  return at;
}

static __attribute__((noreturn)) void exit_process(int code) {
  for (;;) CALL(NR_exit, code, 0, 0, 0);
}
static long now(void) {
  long time[2] = {0, 0};
  CALL(NR_clock_gettime, 1, time, 0, 0);
  return time[0] * 1000 + time[1] / 1000000;
}
static void *allocate(word bytes) {
  long at = call6(NR_mmap, 0, (long)bytes, 3, 0x22, -1, 0);
  return at < 0 && at > -4096 ? 0 : (void *)at;
}
static int exists(const char *path, int how) {
  return CALL(NR_faccessat, AT_FDCWD, path, how, 0) == 0;
}
static int open_file(const char *path, int flags) {
  return (int)CALL(NR_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0);
}
/* Reads a small file up to a limit and appends a zero byte. The file may be virtual, as in /proc. */
static long read_file(const char *path, char *to, long most) {
  int file = open_file(path, 0);
  long done = 0;
  if (file < 0) return -1;
  while (done < most - 1) {
    long count = CALL(NR_read, file, to + done, most - 1 - done, 0);
    if (count == -EINTR) continue;
    if (count <= 0) break;
    done += count;
  }
  CALL(NR_close, file, 0, 0, 0);
  to[done] = 0;
  return done;
}
static void print_error(const char *a, const char *b) {
  char text[512];
  char *at = text;
  word i;
  for (i = 0; a[i] && at < text + 250; i++) *at++ = a[i];
  for (i = 0; b[i] && at < text + 500; i++) *at++ = b[i];
  *at++ = '\n';
  CALL(NR_write, 2, text, at - text, 0);
}

struct poll { int fd; short events, seen; };

static void wait_for(struct poll *what, int count, long milliseconds) {
  long time[2] = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  call6(NR_ppoll, (long)what, count, milliseconds < 0 ? 0 : (long)time, 0, 8, 0);
}

/* ---- the environment ---- */

static int same_name(const char *a, const char *b) {
  while (*a == *b && *a && *a != '=') a++, b++;
  return *a == '=' && *b == '=';
}

/* Returns the container's variables, overridden by the variables of the file, where a zero byte follows
 * each variable. */
static char **merged(char **given) {
  const char *path = OURS "/environment";
  int file = open_file(path, 0);
  long size = file < 0 ? 0 : CALL(NR_lseek, file, 0, 2, 0);
  char *text = 0, **all, *at;
  word count = 0, added = 0, i, j;
  if (file >= 0) CALL(NR_close, file, 0, 0, 0);
  if (size > 0) {
    text = allocate((word)size + 2);
    if (!text || read_file(path, text, size + 1) != size) exit_process(NOT_RUNNABLE);
    for (i = 0; i < (word)size; i++) added += text[i] == 0;
  }
  while (given[count]) count++;
  all = allocate((count + added + 2) * sizeof(char *));
  if (!all) exit_process(NOT_RUNNABLE);
  for (i = 0; i < count; i++) all[i] = given[i];
  for (at = text; added--; at += length(at) + 1) {
    for (j = 0; j < count && !same_name(all[j], at);) j++;
    all[j] = at;
    if (j == count) count++;
  }
  all[count] = 0;
  return all;
}

static const char *variable(char **environment, const char *name) {
  for (; *environment; environment++) {
    if (same_name(*environment, name)) return *environment + length(name);
  }
  return 0;
}

/* ---- signals ---- */

static word unblocked;

static int signals(word mask) {
  CALL(NR_sigprocmask, 0, &mask, &unblocked, 8);
  return (int)CALL(NR_signalfd4, -1, &mask, 8, O_CLOEXEC | O_NONBLOCK);
}
#define BIT(signal) (1ul << ((signal) - 1))

struct signal { u32 number, error, code, sender, rest[28]; };

static long begin_child(void) { return CALL(NR_clone, SIGCHLD, 0, 0, 0); }

static int code_of(int status) {
  return (status & 127) ? 128 + (status & 127) : (status >> 8) & 255;
}

/* ---- the logs ---- */

/* A stream that is copied to its log. While the disk is full nothing more is read, so that the task
 * blocks when it prints. If the output exceeds the limit, its middle is dropped. */
struct stream {
  int pipe, given, log, open;
  word limit, written, kept_from, kept_to;
  byte *tail;
  word tailed;
  byte kept[CHUNK];
};
static struct stream streams[2];

/* Returns false while data remains that cannot be written because the disk is full. */
static int flush(struct stream *s) {
  while (s->kept_from < s->kept_to) {
    long done = CALL(NR_write, s->log, s->kept + s->kept_from, s->kept_to - s->kept_from, 0);
    if (done == -EINTR) continue;
    if (done == -ENOSPC || done == -EDQUOT) return 0;
    if (done < 0) break; /* the log cannot be written at all */
    s->kept_from += (word)done;
  }
  s->kept_from = s->kept_to = 0;
  return 1;
}

static void keep_tail(struct stream *s, const byte *bytes, word count) {
  word i;
  if (!s->tail && !(s->tail = allocate(TAIL))) return;
  for (i = 0; i < count; i++) s->tail[s->tailed++ % TAIL] = bytes[i];
}

/* Returns whether there may be more to read. */
static int read_stream(struct stream *s) {
  long count;
  word fits;
  if (!s->open || !flush(s)) return 0;
  count = CALL(NR_read, s->pipe, s->kept, CHUNK, 0);
  if (count == -EINTR) return 1;
  if (count == -EAGAIN) return 0;
  if (count <= 0) {
    s->open = 0;
    return 0;
  }
  fits = s->limit - s->written;
  if (fits > (word)count) fits = (word)count;
  if (fits < (word)count) keep_tail(s, s->kept + fits, (word)count - fits);
  s->written += fits;
  s->kept_to = fits;
  flush(s);
  return 1;
}

static int write_all(struct stream *s, const byte *bytes, word count) {
  while (count) {
    word part = count > CHUNK ? CHUNK : count;
    memcpy(s->kept, bytes, part);
    s->kept_to = part;
    if (!flush(s)) return 0;
    bytes += part;
    count -= part;
  }
  return 1;
}

/* Writes the remaining output, which is in the pipe by now. Returns false if writing failed. */
static int finish(struct stream *s) {
  int retries = 10;
  for (;;) {
    if (!flush(s)) {
      if (retries-- == 0) return 0;
      wait_for(0, 0, 200);
    } else if (!read_stream(s)) {
      if (s->kept_from == s->kept_to) break;
    }
  }
  if (s->tailed) {
    char text[256], *at = put(text, "\n[trainyard: limit of ");
    if (s->limit % 1048576) {
      at = put(put_number(at, s->limit), " bytes");
    } else {
      at = put(put_number(at, s->limit / 1048576), " MB");
    }
    at = put(at, " reached; what follows is the end of the output, the rest is left out]\n");
    if (!write_all(s, (byte *)text, (word)(at - text))) return 0;
    if (!s->tail) return 1;
    if (s->tailed > TAIL) {
      word first = s->tailed % TAIL;
      return write_all(s, s->tail + first, TAIL - first) && write_all(s, s->tail, first);
    }
    return write_all(s, s->tail, s->tailed);
  }
  return 1;
}

/* ---- the task ---- */

static int child, status, child_ended, stop_requested, from_outside, killing;

static void start_child(char **words, char **environment) {
  long pid = begin_child();
  if (pid == 0) {
    CALL(NR_dup3, streams[0].given, 1, 0, 0);
    CALL(NR_dup3, streams[1].given, 2, 0, 0);
    CALL(NR_sigprocmask, 2, &unblocked, 0, 8);
    CALL(NR_execve, words[0], words, environment, 0);
    print_error(words[0], ": can't be run");
    exit_process(NOT_RUNNABLE);
  }
  child = (int)pid;
  if (pid < 0) {
    child_ended = 1;
    status = NOT_RUNNABLE << 8;
  }
}

static void request_stop(int outside) {
  if (!stop_requested) {
    stop_requested = 1;
    from_outside = outside;
    CALL(NR_kill, -1, SIGTERM, 0, 0);
  }
}

static void kill_all(void) {
  killing = 1;
  CALL(NR_kill, -1, SIGKILL, 0, 0);
}

static void handle_signals(int source) {
  struct signal seen;
  int ended, how;
  while (CALL(NR_read, source, &seen, sizeof seen, 0) == sizeof seen) {
    if (seen.number == SIGUSR2) {
      stop_requested = 1;
      kill_all();
    } else if (seen.number != SIGCHLD) {
      request_stop(seen.sender == 0);
    }
  }
  while ((ended = (int)CALL(NR_wait4, -1, &how, WNOHANG, 0)) > 0) {
    if (ended == child) {
      status = how;
      child_ended = 1;
    }
  }
}

/* Waits for output and signals, up to the given time, and handles them. */
static void handle_events(int source, long milliseconds) {
  struct poll all[3];
  int count = 1, i, stuck = 0;
  all[0].fd = source;
  all[0].events = POLLIN;
  for (i = 0; i < 2; i++) {
    if (!flush(&streams[i])) {
      stuck = 1;
    } else if (streams[i].open) {
      all[count].fd = streams[i].pipe;
      all[count++].events = POLLIN;
    }
  }
  wait_for(all, count, stuck && (milliseconds < 0 || milliseconds > 200) ? 200 : milliseconds);
  handle_signals(source);
  for (i = 0; i < 2; i++) read_stream(&streams[i]);
}

static void make_pipes(void) {
  int ends[2], i;
  for (i = 0; i < 2; i++) {
    if (CALL(NR_pipe2, ends, O_CLOEXEC, 0, 0) < 0) exit_process(NOT_RUNNABLE);
    streams[i].pipe = ends[0];
    streams[i].given = ends[1];
    streams[i].open = 1;
    /* Only this end is non-blocking, because programs do not expect a non-blocking output. */
    CALL(NR_fcntl, ends[0], F_SETFL, O_NONBLOCK, 0);
  }
}

static void run_child(int source, char **words, char **environment) {
  child_ended = 0;
  start_child(words, environment);
  while (!child_ended) handle_events(source, -1);
}

static int other_processes_exist(void) { return CALL(NR_kill, -1, 0, 0, 0) != -ESRCH; }

static word out_of_memory_kills(void) {
  static const char *files[] = {"/sys/fs/cgroup/memory/memory.oom_control",
                                "/sys/fs/cgroup/memory.events"};
  char text[1024];
  int i;
  for (i = 0; i < 2; i++) {
    char *at = text;
    if (read_file(files[i], text, sizeof text) < 0) continue;
    for (; *at; at++) {
      if ((at == text || at[-1] == '\n') && starts(at, "oom_kill ")) return number(at + 9);
    }
  }
  return 0;
}

/* Returns whether a full disk may be the cause of the failure. */
static int is_full(const char *place) {
  long info[32];
  memset(info, 0, sizeof info);
  return CALL(NR_statfs, place, info, 0, 0) == 0 && info[2] > 0 && info[4] * info[1] < 1048576;
}

static void record(int code, int signal, int full, const char *more) {
  char text[256], *at = text;
  int file = open_file(OURS "/end", O_WRONLY);
  at = put_number(put(at, "code="), (word)code);
  at = put_number(put(at, " signal="), (word)signal);
  at = put_number(put(at, " oom="), out_of_memory_kills());
  at = put_number(put(at, " full="), (word)full);
  at = put_number(put(at, " outside="), (word)from_outside);
  at = put(put(at, more), " .\n");
  CALL(NR_pwrite64, file, text, at - text, 0);
}

static const char *first_shell(void) {
  static const char *shells[] = {"/bin/bash", "/usr/bin/bash", "/bin/sh", "/usr/bin/sh"};
  int i;
  for (i = 0; i < 4; i++) {
    if (exists(shells[i], X_OK)) return shells[i];
  }
  return 0;
}

static const char *first_existing(const char *first, const char *second) {
  return exists(first, F_OK) ? first : second;
}

static void run_script(int source, const char *shell, char **environment) {
  char *words[5];
  int count = 0;
  words[count++] = (char *)shell;
  if (exists(PLATFORM "/runtime.d/around.sh", F_OK)) {
    words[count++] = PLATFORM "/runtime.d/around.sh";
    words[count++] = PLATFORM "/secrets";
  }
  words[count++] =
      (char *)first_existing(PLATFORM "/secrets/user.sh", PLATFORM "/runtime.d/user.sh");
  words[count] = 0;
  run_child(source, words, environment);
}

/* After a stop, every process may finish what it is saving. Without a stop, the task ends with the script,
 * and its background processes are killed. */
static void end_remaining(int source) {
  long deadline = 0;
  if (!stop_requested) kill_all();
  while (other_processes_exist()) {
    if (killing && !deadline) deadline = now() + 2000;
    /* The kernel kills the remaining processes when this process exits. */
    if (killing && now() > deadline) return;
    handle_events(source, 20);
  }
}

static void run(int count, char **arguments, char **given) {
  word mask = BIT(SIGCHLD) | BIT(SIGTERM) | BIT(SIGINT) | BIT(SIGHUP) | BIT(SIGUSR2);
  int source = signals(mask), i, full = 0, code;
  const char *shell = first_shell();
  const char *preparation =
      first_existing(PLATFORM "/secrets/precommands.sh", PLATFORM "/runtime.d/precommands.sh");
  char **environment = merged(given);
  for (i = 0; i < 2; i++) {
    streams[i].log = open_file(i ? OURS "/stderr" : OURS "/stdout", O_WRONLY | O_APPEND);
    streams[i].limit = number(arguments[0]);
    if (streams[i].log < 0) exit_process(NOT_RUNNABLE);
  }
  make_pipes();
  if (!shell) {
    record(NOT_FOUND, 0, 0, " noshell=1");
    exit_process(NOT_FOUND);
  }
  /* A signal that arrived before signals were handled is lost, but the file remains. */
  if (exists(OURS "/stop", F_OK)) stop_requested = 1;
  status = SIGTERM;
  if (!stop_requested && exists(preparation, F_OK)) {
    /* A command of the preparation may fail; only an explicit nonzero exit ends the task. */
    char *words[] = {(char *)shell, "-c", ". \"$0\"\nexit 0", (char *)preparation, 0};
    run_child(source, words, environment);
    if (status == 0 && stop_requested) status = SIGTERM;
    else if (status == 0) run_script(source, shell, environment);
  } else if (!stop_requested) {
    run_script(source, shell, environment);
  }
  code = code_of(status);
  /* Checked immediately, because space may be freed while the rest of the output waits for space. */
  for (i = 1; code && i < count; i++) full |= is_full(arguments[i]);
  end_remaining(source);
  for (i = 0; i < 2; i++) full |= !finish(&streams[i]);
  record(code, status & 127, full, "");
  exit_process(code);
}

/* ---- additional commands ---- */

static void execute(char **words, char **environment) {
  const char *path = variable(environment, "PATH=");
  char place[4096 + 256];
  long refused = 0;
  if (!path) path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  if (words[0][0] == 0 || length(words[0]) > 255) path = "";
  for (const char *at = words[0]; *at; at++) {
    if (*at == '/') {
      refused = CALL(NR_execve, words[0], words, environment, 0);
      print_error(words[0], ": can't be run");
      exit_process(refused == -EACCES ? NOT_RUNNABLE : NOT_FOUND);
    }
  }
  while (*path) {
    char *to = place;
    long error;
    while (*path && *path != ':' && to < place + 4000) *to++ = *path++;
    if (to == place) *to++ = '.';
    *to++ = '/';
    *put(to, words[0]) = 0;
    error = CALL(NR_execve, place, words, environment, 0);
    if (error == -EACCES) refused = error;
    while (*path && *path != ':') path++;
    if (*path) path++;
  }
  print_error(words[0], refused ? ": may not be run" : ": not found");
  exit_process(refused ? NOT_RUNNABLE : NOT_FOUND);
}

/* All processes that the command starts remain descendants of this process, even if they leave its
 * session, so that hang_up() finds them. After a hang-up, this process exits when no descendant is left. */
static void exec_mode(const char *size, char **words, char **given) {
  word mask = ~0ul;
  int source = signals(mask), how, hung = 0, ended;
  char **environment = merged(given);
  struct poll one = {source, POLLIN, 0};
  long command;
  if (*size >= '0' && *size <= '9') {
    /* COLUMNSxROWS of a terminal, set before the command can read it. */
    unsigned short window[4] = {0, (unsigned short)number(size), 0, 0};
    while (*size >= '0' && *size <= '9') size++;
    if (*size) window[0] = (unsigned short)number(size + 1);
    CALL(NR_ioctl, 0, TIOCSWINSZ, window, 0);
  }
  CALL(NR_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0);
  command = begin_child();
  if (command == 0) {
    CALL(NR_sigprocmask, 2, &unblocked, 0, 8);
    execute(words, environment);
  }
  if (command < 0) exit_process(NOT_RUNNABLE);
  for (;;) {
    struct signal seen;
    wait_for(&one, 1, -1);
    while (CALL(NR_read, source, &seen, sizeof seen, 0) == sizeof seen) {
      if (seen.number == SIGUSR1) hung = 1;
    }
    while ((ended = (int)CALL(NR_wait4, -1, &how, WNOHANG, 0)) > 0) {
      if (ended == command && !hung) exit_process(code_of(how));
    }
    if (hung && ended == -ECHILD) exit_process(KILLED);
  }
}

/* ---- hanging up ---- */

enum { MOST = 32768 };
static int table[MOST][3]; /* process, parent, whether it belongs to a command */
static int processes;

static char *process_file(char *to, int process, const char *name) {
  *put(put_number(put(to, "/proc/"), (word)process), name) = 0;
  return to;
}

static int parent_of(int process) {
  char path[64], text[1024], *at, *last = 0;
  if (read_file(process_file(path, process, "/stat"), text, sizeof text) < 0) return -1;
  for (at = text; *at; at++) {
    if (*at == ')') last = at; /* the name of a program may contain any character */
  }
  if (!last || last[1] != ' ' || last[2] == 'Z' || last[2] == 'X') return -1;
  return (int)number(last + 4);
}

static void read_table(void) {
  static char entries[32768];
  int directory = open_file("/proc", 0);
  long count;
  processes = 0;
  while ((count = CALL(NR_getdents64, directory, entries, sizeof entries, 0)) > 0) {
    long at = 0;
    while (at < count) {
      char *name = entries + at + 19;
      if (*name >= '1' && *name <= '9' && processes < MOST) {
        table[processes][0] = (int)number(name);
        table[processes][1] = parent_of(table[processes][0]);
        table[processes][2] = 0;
        if (table[processes][1] >= 0) processes++;
      }
      at += *(unsigned short *)(entries + at + 16);
    }
  }
  CALL(NR_close, directory, 0, 0, 0);
}

static int is_wrapper(int process, const char *token) {
  char path[64], text[512], *word;
  long size = read_file(process_file(path, process, "/cmdline"), text, sizeof text);
  if (size < 0 || !same(text, OURS "/init")) return 0;
  word = text + length(text) + 1;
  if (word >= text + size || !same(word, "exec")) return 0;
  word += 5;
  if (word >= text + size) return 0;
  return *token == '-' ? !starts(word, token + 1) : same(word, token);
}

/* Kills the descendants of the wrapper until the wrapper has exited, which happens when no descendant is
 * left. A wrapper that has just started may have no descendant yet, and new descendants may start at any
 * time. */
static void kill_below(int wrapper, long deadline) {
  int alive = 1;
  while (alive && now() < deadline) {
    int grown = 1, i, j;
    alive = 0;
    read_table();
    while (grown) {
      grown = 0;
      for (i = 0; i < processes; i++) {
        int below = table[i][1] == wrapper;
        for (j = 0; j < processes && !below && !table[i][2]; j++) {
          below = table[j][2] && table[j][0] == table[i][1];
        }
        if (below && !table[i][2]) grown = table[i][2] = 1;
      }
    }
    for (i = 0; i < processes; i++) {
      if (table[i][2]) CALL(NR_kill, table[i][0], SIGKILL, 0, 0);
      if (table[i][2] || table[i][0] == wrapper) alive = 1;
    }
    if (alive) wait_for(0, 0, 5);
  }
}

static void hang_up(const char *token) {
  int found[1024], count = 0, i;
  long deadline = now() + 10000;
  read_table();
  for (i = 0; i < processes && count < 1024; i++) {
    if (is_wrapper(table[i][0], token)) found[count++] = table[i][0];
  }
  for (i = 0; i < count; i++) CALL(NR_kill, found[i], SIGUSR1, 0, 0);
  for (i = 0; i < count; i++) kill_below(found[i], deadline);
  exit_process(count ? 0 : 3);
}

__attribute__((noreturn, used)) void begin(long *stack) {
  long count = stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  if (count >= 3 && same(arguments[1], "run")) {
    run((int)count - 2, arguments + 2, environment);
  } else if (count >= 5 && same(arguments[1], "exec")) {
    exec_mode(arguments[3], arguments + 4, environment);
  } else if (count == 3 && same(arguments[1], "hangup")) {
    hang_up(arguments[2]);
  }
  exit_process(NOT_RUNNABLE);
}
