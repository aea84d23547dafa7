/*
 * The only program of the keeper's image: leads from its container to the machine's files.
 *
 *   enter PROCESS PROGRAM [WORD...]   runs a program where that process sees its files
 *
 * The container shares the machine's process numbers and may enter others. As init.c, it uses nothing
 * but the kernel.
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
#error "no such machine"
#endif

static __attribute__((noreturn)) void fail(const char *why) {
  long length = 0;
  while (why[length]) length++;
  call(NR_write, 2, (long)why, length, 0);
  for (;;) call(NR_exit, 1, 0, 0, 0);
}

__attribute__((noreturn, used)) void begin(long *stack) {
  long count = stack[0];
  char **arguments = (char **)(stack + 1);
  char **environment = arguments + count + 1;
  char path[64] = "/proc/", *at = path + 6;
  const char *digit, *rest = "/ns/mnt";
  long place;
  if (count < 3) fail("enter: PROCESS and PROGRAM are missing\n");
  for (digit = arguments[1]; *digit; digit++) {
    if (*digit < '0' || *digit > '9' || at > path + 26) fail("enter: that is no process\n");
    *at++ = *digit;
  }
  while (*rest) *at++ = *rest++;
  *at = 0;
  place = call(NR_openat, AT_FDCWD, (long)path, O_CLOEXEC, 0);
  if (place < 0) fail("enter: there is no such process here\n");
  if (call(NR_setns, place, NEW_MOUNTS, 0, 0) < 0) fail("enter: its files can't be reached\n");
  call(NR_execve, (long)arguments[2], (long)(arguments + 2), (long)environment, 0);
  fail("enter: the program can't be run\n");
}
