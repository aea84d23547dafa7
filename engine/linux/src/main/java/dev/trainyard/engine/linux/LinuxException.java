package dev.trainyard.engine.linux;

import java.io.IOException;

/** Reports a failed system call with its error number. */
public final class LinuxException extends IOException {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int ESRCH = 3;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EEXIST = 17;
  public static final int EXDEV = 18;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOTTY = 25;
  public static final int ENOSPC = 28;
  public static final int EROFS = 30;
  public static final int EPIPE = 32;
  public static final int ENAMETOOLONG = 36;
  public static final int ENOSYS = 38;
  public static final int ENOTEMPTY = 39;
  public static final int ELOOP = 40;
  public static final int EOPNOTSUPP = 95;
  public static final int EDQUOT = 122;

  private final int errno;

  public LinuxException(String operation, int errno) {
    super(operation + ": " + describe(errno));
    this.errno = errno;
  }

  public int errno() {
    return errno;
  }

  /** Returns whether the file or its file system does not support the operation. */
  public boolean isNotSupported() {
    return errno == ENOTTY || errno == EINVAL || errno == EOPNOTSUPP;
  }

  /**
   * Returns whether the process or the host lacks resources that any other open would need as well.
   */
  public boolean isExhaustion() {
    return errno == ENOMEM || errno == ENFILE || errno == EMFILE;
  }

  /**
   * Returns whether a file was not opened because a program holds a lease on it. Only an open that
   * does not wait fails for this reason.
   */
  public boolean isLeased() {
    return errno == EAGAIN;
  }

  private static String describe(int errno) {
    return switch (errno) {
      case EPERM -> "not permitted";
      case ENOENT -> "no such file or directory";
      case ESRCH -> "no such process";
      case EAGAIN -> "temporarily not available";
      case ENOMEM -> "out of memory";
      case EACCES -> "permission denied";
      case EBUSY -> "busy";
      case EEXIST -> "exists already";
      case EXDEV -> "leaves the root";
      case ENOTDIR -> "not a directory";
      case EISDIR -> "is a directory";
      case EINVAL -> "not supported here (EINVAL)";
      case EMFILE -> "too many open files";
      case ENOSPC -> "no space left on the disk";
      case ENAMETOOLONG -> "name too long";
      case ENOTEMPTY -> "not empty";
      case ENOSYS -> "this kernel does not support the call";
      case ELOOP -> "too many symbolic links";
      case EOPNOTSUPP -> "not supported by the file system";
      default -> "error " + errno;
    };
  }
}
