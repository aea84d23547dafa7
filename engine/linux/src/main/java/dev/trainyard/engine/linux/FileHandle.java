package dev.trainyard.engine.linux;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;

/**
 * An open file or directory of a user; the only class that opens paths that users name. The handle
 * refers to the same file even if the owner renames or replaces the file, because it holds a file
 * descriptor. The file is opened beneath a root directory, which neither a link nor {@code ..} can
 * leave. Opening has no side effects: for example, opening a pipe without a writer does not block.
 */
public final class FileHandle implements AutoCloseable {
  private static final int TYPE_MASK = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int LINK = 0120000;

  /** Error number of Linux for a lookup that failed because of a concurrent rename. */
  private static final int EAGAIN = 11;

  private static final int MAX_ATTEMPTS = 20;

  /** The type of a file. */
  public enum Kind {
    FILE,
    DIRECTORY,
    LINK,
    OTHER
  }

  /**
   * The attributes of a file.
   *
   * @param permissions the permission bits, with the set-ID and sticky bits
   * @param owner ID of the user
   * @param group ID of the group
   */
  public record Attributes(
      Kind kind, long size, FileTime modified, int permissions, int owner, int group) {}

  private final int descriptor;
  private final Attributes attributes;

  private FileHandle(int descriptor, Attributes attributes) {
    this.descriptor = descriptor;
    this.attributes = attributes;
  }

  /**
   * Finds the file that a user named.
   *
   * @param root a directory whose location only the server determines
   * @param name the name as given by the user; empty for the root itself
   */
  public static Optional<FileHandle> find(Path root, String name) throws IOException {
    return find(root, "", name);
  }

  /**
   * Finds a file by a name from one user beneath a directory whose name comes from another user.
   * The file cannot be outside the directory, and the directory cannot be outside the root.
   *
   * @param root a directory whose location only the server determines
   * @param directory a directory beneath the root; empty for the root itself
   * @param name the name as given by the user; empty for the directory itself
   */
  public static Optional<FileHandle> find(Path root, String directory, String name)
      throws IOException {
    if (name.indexOf('\0') >= 0 || directory.indexOf('\0') >= 0) {
      // The kernel would see only the part before it.
      return Optional.empty();
    }
    int rootDescriptor = -1;
    try {
      rootDescriptor =
          Linux.open(root.toString(), Linux.O_PATH | Linux.O_DIRECTORY | Linux.O_NOFOLLOW);
      if (directory.isEmpty()) {
        return openBeneath(rootDescriptor, name.isEmpty() ? "." : name);
      }
      Optional<FileHandle> outer = openBeneath(rootDescriptor, directory);
      if (outer.isEmpty()) {
        return outer;
      }
      try (FileHandle handle = outer.get()) {
        return openBeneath(handle.descriptor, name.isEmpty() ? "." : name);
      }
    } catch (LinuxException e) {
      return absent(e);
    } finally {
      Linux.close(rootDescriptor);
    }
  }

  private static Optional<FileHandle> openBeneath(int root, String name) throws IOException {
    for (int remainingAttempts = MAX_ATTEMPTS; ; remainingAttempts--) {
      try {
        int fileDescriptor = Linux.openInRoot(root, name, Linux.O_PATH);
        return fileDescriptor < 0 ? Optional.empty() : Optional.of(ofDescriptor(fileDescriptor));
      } catch (LinuxException e) {
        if (e.errno() != EAGAIN || remainingAttempts == 0) {
          throw e;
        }
      }
    }
  }

  /**
   * Finds a file beneath this directory, which neither a link nor ".." can leave.
   *
   * @param name the name as given by the user; empty for this directory itself
   */
  public Optional<FileHandle> find(String name) throws IOException {
    if (name.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    try {
      return openBeneath(descriptor, name.isEmpty() ? "." : name);
    } catch (LinuxException e) {
      return absent(e);
    }
  }

  /** Opens an entry of this directory without following a link; empty if there is none. */
  public Optional<FileHandle> findEntry(String name) throws IOException {
    if (name.indexOf('\0') >= 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          ofDescriptor(Linux.openAt(descriptor, name, Linux.O_PATH | Linux.O_NOFOLLOW)));
    } catch (LinuxException e) {
      return absent(e);
    }
  }

  /**
   * Returns an empty result for a name that does not lead to a file, and throws an exception if no
   * name could be opened.
   */
  static Optional<FileHandle> absent(LinuxException e) {
    if (e.isExhaustion()) {
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.too-many-files-open"));
    }
    // A seccomp profile that is older than openat2 rejects it with EPERM. A directory that the
    // server may not enter is EACCES instead.
    if (e.errno() == LinuxException.ENOSYS
        || (e.errno() == LinuxException.EPERM && !Linux.canOpenInRoot())) {
      throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.no-openat2"));
    }
    // The name is invalid in some way: too long, below a file, a link loop, or not permitted.
    return Optional.empty();
  }

  /**
   * Opens the file or directory at a path that no user has chosen. If the path is a link, the
   * result is the link itself.
   */
  public static FileHandle of(Path path) throws IOException {
    byte[] bytes = RawName.of(path).getBytes(StandardCharsets.ISO_8859_1);
    try {
      return ofDescriptor(Linux.openAt(Linux.AT_FDCWD, bytes, Linux.O_PATH | Linux.O_NOFOLLOW));
    } catch (LinuxException e) {
      if (e.errno() == LinuxException.ENOENT) {
        throw new NoSuchFileException(path.toString());
      }
      throw e;
    }
  }

  /**
   * Returns another handle of a file that this process has opened.
   *
   * @param openFile the descriptor, which stays open
   */
  public static FileHandle ofOpenFile(int openFile) throws IOException {
    return ofDescriptor(Linux.open("/proc/self/fd/" + openFile, Linux.O_PATH));
  }

  /**
   * Opens an entry of this directory without following a link.
   *
   * @param name the bytes of the entry's name, as Latin-1
   */
  public FileHandle child(String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    return ofDescriptor(Linux.openAt(descriptor, bytes, Linux.O_PATH | Linux.O_NOFOLLOW));
  }

  private static FileHandle ofDescriptor(int descriptor) throws IOException {
    try {
      return new FileHandle(descriptor, attributes(pathOf(descriptor)));
    } catch (IOException e) {
      Linux.close(descriptor);
      throw e;
    }
  }

  public static Attributes attributes(Path path, LinkOption... options) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(path, "unix:mode,size,lastModifiedTime,uid,gid", options);
    int mode = (Integer) attributes.get("mode");
    Kind kind =
        switch (mode & TYPE_MASK) {
          case REGULAR -> Kind.FILE;
          case DIRECTORY -> Kind.DIRECTORY;
          case LINK -> Kind.LINK;
          default -> Kind.OTHER;
        };
    return new Attributes(
        kind,
        (Long) attributes.get("size"),
        (FileTime) attributes.get("lastModifiedTime"),
        mode & ~TYPE_MASK,
        (Integer) attributes.get("uid"),
        (Integer) attributes.get("gid"));
  }

  private static Path pathOf(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Returns a path that can be used as long as this handle is open. */
  public Path path() {
    return pathOf(descriptor);
  }

  /** Returns the attributes at the time when this handle was opened. */
  public Attributes attributes() {
    return attributes;
  }

  /** Returns the open descriptor, which this handle closes. */
  public int descriptor() {
    return descriptor;
  }

  @Override
  public void close() {
    Linux.close(descriptor);
  }
}
