package dev.trainyard.engine.process;

import java.io.IOException;

/** A system call that the kernel refused. */
final class LinuxException extends IOException {
  static final int ENOENT = 2;
  static final int ESRCH = 3;
  static final int EINTR = 4;
  static final int EIO = 5;
  static final int ENXIO = 6;
  static final int EAGAIN = 11;
  static final int EEXIST = 17;
  static final int ENOTDIR = 20;
  static final int EINVAL = 22;
  static final int ENOTTY = 25;
  static final int ENAMETOOLONG = 36;
  static final int ELOOP = 40;
  static final int EOPNOTSUPP = 95;

  private final int errno;

  LinuxException(String what, int errno) {
    super(what + ": " + words(errno));
    this.errno = errno;
  }

  int errno() {
    return errno;
  }

  /** Whether a file, or what it lies on, does not know what was asked for. */
  boolean isNotSupported() {
    return errno == ENOTTY || errno == EINVAL || errno == EOPNOTSUPP;
  }

  private static String words(int errno) {
    return switch (errno) {
      case 1 -> "not permitted";
      case ENOENT -> "no such file or directory";
      case ESRCH -> "no such process";
      case 12 -> "out of memory";
      case 13 -> "permission denied";
      case 16 -> "busy";
      case EEXIST -> "exists already";
      case 18 -> "leaves the root";
      case ENOTDIR -> "not a directory";
      case EINVAL -> "not supported here (EINVAL)";
      case 24 -> "too many open files";
      case 28 -> "no space left on the disk";
      case ENAMETOOLONG -> "name too long";
      case 38 -> "this kernel has no such call";
      case ELOOP -> "too many symbolic links";
      case EOPNOTSUPP -> "not supported by the file system";
      default -> "error " + errno;
    };
  }
}
