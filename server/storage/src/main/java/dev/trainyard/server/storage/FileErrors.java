package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Errors of operations on files, each with the path as the user named it. */
public final class FileErrors {
  private FileErrors() {}

  public static AppException notFound(String path) {
    return new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-such-file", "path", path));
  }

  public static AppException unreadable(String path) {
    return new AppException(ErrorCode.FORBIDDEN, Message.of("error.file-unreadable", "path", path));
  }

  public static AppException notDirectory(String path) {
    return conflict("error.not-a-directory", path);
  }

  public static AppException notFile(String path) {
    return conflict("error.not-a-file", path);
  }

  public static AppException leased(String path) {
    return conflict("error.file-leased", path);
  }

  static AppException conflict(String code, String path) {
    return new AppException(ErrorCode.CONFLICT, Message.of(code, "path", path));
  }

  static AppException notPermitted(String path) {
    return new AppException(
        ErrorCode.FORBIDDEN, Message.of("error.file-not-permitted", "path", path));
  }

  static AppException exists(String path) {
    return conflict("error.file-exists", path);
  }

  static AppException diskFull() {
    return new AppException(ErrorCode.DISK_FULL, Message.of("error.disk-full"));
  }

  /**
   * Throws the error that explains a failed operation on a file; returns the failure itself if it
   * is not the user's.
   */
  static IOException explain(IOException e, String path) {
    if (e instanceof LinuxException linuxError) {
      return explain(linuxError, path);
    }
    return switch (e) {
      case NoSuchFileException _ -> throw notFound(path);
      case AccessDeniedException _ -> throw notPermitted(path);
      case NotDirectoryException _ -> throw notDirectory(path);
      default -> {
        if (isDiskFull(e)) {
          throw diskFull();
        }
        yield e;
      }
    };
  }

  private static IOException explain(LinuxException e, String path) {
    if (e.isExhaustion()) {
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.too-many-files-open"));
    }
    return switch (e.errno()) {
      case LinuxException.ENOENT -> throw notFound(path);
      case LinuxException.EACCES, LinuxException.EPERM, LinuxException.EROFS ->
          throw notPermitted(path);
      case LinuxException.EEXIST -> throw exists(path);
      case LinuxException.ENOTDIR -> throw notDirectory(path);
      case LinuxException.EISDIR -> throw conflict("error.file-is-directory", path);
      case LinuxException.ENOTEMPTY -> throw conflict("error.directory-not-empty", path);
      case LinuxException.EINVAL, LinuxException.EXDEV, LinuxException.EBUSY ->
          throw conflict("error.file-not-movable", path);
      case LinuxException.ENOSPC, LinuxException.EDQUOT -> throw diskFull();
      default -> e;
    };
  }

  /** Java reports a full disk only in the text of the exception. */
  private static boolean isDiskFull(IOException e) {
    String text = String.valueOf(e.getMessage());
    return text.contains("No space left on device") || text.contains("Disk quota exceeded");
  }
}
