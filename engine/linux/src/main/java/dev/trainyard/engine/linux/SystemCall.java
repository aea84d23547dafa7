package dev.trainyard.engine.linux;

/** The system calls in use, with their numbers on the two supported architectures. */
public enum SystemCall {
  CLOSE(3, 57),
  DUP3(292, 24),
  EPOLL_CREATE1(291, 20),
  EPOLL_CTL(233, 21),
  EPOLL_PWAIT(281, 22),
  FALLOCATE(285, 47),
  FCHDIR(81, 50),
  FCHMODAT(268, 53),
  FCHOWNAT(260, 54),
  FCNTL(72, 25),
  FSCONFIG(431, 431),
  FSMOUNT(432, 432),
  FSOPEN(430, 430),
  FSTATFS(138, 44),
  GETSOCKNAME(51, 204),
  GETSOCKOPT(55, 209),
  GETTID(186, 178),
  IOCTL(16, 29),
  KEYCTL(250, 219),
  LINKAT(265, 37),
  LSEEK(8, 62),
  LSETXATTR(189, 6),
  MKDIRAT(258, 34),
  MKNODAT(259, 33),
  MOUNT(165, 40),
  MOUNT_SETATTR(442, 442),
  MOVE_MOUNT(429, 429),
  OPENAT(257, 56),
  OPENAT2(437, 437),
  OPEN_TREE(428, 428),
  PIDFD_GETFD(438, 438),
  PIDFD_OPEN(434, 434),
  PIDFD_SEND_SIGNAL(424, 424),
  PIPE2(293, 59),
  READ(0, 63),
  PIVOT_ROOT(155, 41),
  PRCTL(157, 167),
  PRLIMIT64(302, 261),
  RENAMEAT2(316, 276),
  SECCOMP(317, 277),
  SETFSGID(123, 152),
  SETFSUID(122, 151),
  SETGROUPS(116, 159),
  SETHOSTNAME(170, 161),
  SETNS(308, 268),
  SETRESGID(119, 149),
  SETRESUID(117, 147),
  SETSID(112, 157),
  STATFS(137, 43),
  STATX(332, 291),
  SYMLINKAT(266, 36),
  SYNCFS(306, 267),
  UMOUNT2(166, 39),
  UNLINKAT(263, 35),
  UNSHARE(272, 97),
  WAITID(247, 95),
  WRITE(1, 64);

  public static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  private final int amd64;
  private final int arm64;

  SystemCall(int amd64, int arm64) {
    this.amd64 = amd64;
    this.arm64 = arm64;
  }

  public int number() {
    return ARM ? arm64 : amd64;
  }
}
