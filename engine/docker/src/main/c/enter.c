/*
 * The only program of the root helper's image: runs a program with access to the host's files.
 *
 *   enter PROCESS PROGRAM [ARGUMENT...]   runs a program in the mount namespace of that process
 *
 * The container shares the host's PID namespace and has the capabilities to enter other namespaces.
 * Like init.c, this program uses only the kernel.
 */
enum { O_CLOEXEC = 02000000, AT_FDCWD = -100, NEW_MOUNTS = 0x00020000 };

#if defined(__x86_64__)
enum { NR_write = 1, NR_execve = 59, NR_exit = 60, NR_openat = 257, NR_setns = 308 };
static long call(long n, long a, long b, long c, long d) {
  long result;
  register long r10 __asm__("r10") = d;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10)
                   : "rcx", "r11", "memory");
  return result;
}
__asm__(".globl _start\n_start:\n xor %ebp,%ebp\n mov %rsp,%rdi\n and $-16,%rsp\n call begin\n");
#elif defined(__aarch64__)
enum { NR_openat = 56, NR_write = 64, NR_exit = 93, NR_execve = 221, NR_setns = 268 };
static long call(long n, long a, long b, long c, long d) {
  register long x8 __asm__("x8") = n;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
  return x0;
}
__asm__(".globl _start\n_start:\n mov x29,#0\n mov x30,#0\n mov x0,sp\n bl begin\n");
#else
#error "unsupported architecture"
#endif

static __attribute__((noreturn)) void fail(const char *message) {
  long length = 0;
  while (message[length]) length++;
  call(NR_write, 2, (long)message, length, 0);
  for (;;) call(NR_exit, 1, 0, 0, 0);
}

__attribute__((noreturn, used)) void begin(long *stack) {
  long count = stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  char path[64] = "/proc/", *position = path + 6;
  const char *digit, *suffix = "/ns/mnt";
  long namespace;
  if (count < 3) fail("enter: PROCESS and PROGRAM are missing\n");
  for (digit = arguments[1]; *digit; digit++) {
    if (*digit < '0' || *digit > '9' || position > path + 26) fail("enter: that is no process\n");
    *position++ = *digit;
  }
  while (*suffix) *position++ = *suffix++;
  *position = 0;
  namespace = call(NR_openat, AT_FDCWD, (long)path, O_CLOEXEC, 0);
  if (namespace < 0) fail("enter: there is no such process here\n");
  if (call(NR_setns, namespace, NEW_MOUNTS, 0, 0) < 0) fail("enter: its files can't be reached\n");
  call(NR_execve, (long)arguments[2], (long)(arguments + 2), (long)environment, 0);
  fail("enter: the program can't be run\n");
}
