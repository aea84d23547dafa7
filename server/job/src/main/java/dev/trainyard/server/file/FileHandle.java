package dev.trainyard.server.file;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Optional;

/**
 * An open file or directory of a user. The kernel keeps the reference, so it stays the same
 * regardless of what its owner does with the name. It is opened beneath a root that neither a link
 * nor ".." can leave, and without side effects: for example, opening a pipe without a writer does
 * not block.
 */
public final class FileHandle implements AutoCloseable {
  private static final int TYPE = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int LINK = 0120000;

  /** Returned by the kernel if something was renamed during the lookup. */
  private static final int EAGAIN = 11;

  private static final int TRIES = 20;

  /** The type of a file. */
  public enum Kind {
    FILE,
    DIRECTORY,
    LINK,
    OTHER
  }

  /** The attributes of a file. */
  public record Facts(Kind kind, long size, FileTime modified) {}

  private final int descriptor;
  private final Facts facts;

  private FileHandle(int descriptor, Facts facts) {
    this.descriptor = descriptor;
    this.facts = facts;
  }

  /**
   * Finds the file that a user named.
   *
   * @param root a directory whose location only the server determines
   * @param name the name as given by the user; empty for the root itself
   */
  public static Optional<FileHandle> find(Path root, String name) throws IOException {
    int opened = -1;
    try {
      opened = Linux.open(root.toString(), Linux.O_PATH | Linux.O_DIRECTORY | Linux.O_NOFOLLOW);
      return beneath(opened, name.isEmpty() ? "." : name);
    } catch (LinuxException e) {
      if (e.isExhaustion()) {
        throw new AppException(ErrorCode.UNAVAILABLE, Message.of("error.too-many-files-open"));
      }
      // The name is invalid in some way: too long, below a file, a link loop, or not permitted.
      return Optional.empty();
    } finally {
      Linux.close(opened);
    }
  }

  private static Optional<FileHandle> beneath(int root, String name) throws IOException {
    for (int remainingLinks = TRIES; ; remainingLinks--) {
      try {
        int found = Linux.openInRoot(root, name, Linux.O_PATH);
        return found < 0 ? Optional.empty() : Optional.of(held(found));
      } catch (LinuxException e) {
        if (e.errno() != EAGAIN || remainingLinks == 0) {
          throw e;
        }
      }
    }
  }

  /**
   * Opens an entry of this directory without following a link.
   *
   * @param name its bytes, as Latin-1
   */
  FileHandle child(String name) throws IOException {
    byte[] bytes = name.getBytes(StandardCharsets.ISO_8859_1);
    return held(Linux.openAt(descriptor, bytes, Linux.O_PATH | Linux.O_NOFOLLOW));
  }

  private static FileHandle held(int descriptor) throws IOException {
    try {
      return new FileHandle(descriptor, facts(pathOf(descriptor)));
    } catch (IOException e) {
      Linux.close(descriptor);
      throw e;
    }
  }

  static Facts facts(Path path, LinkOption... options) throws IOException {
    Map<String, Object> found =
        Files.readAttributes(path, "unix:mode,size,lastModifiedTime", options);
    Kind kind =
        switch ((Integer) found.get("mode") & TYPE) {
          case REGULAR -> Kind.FILE;
          case DIRECTORY -> Kind.DIRECTORY;
          case LINK -> Kind.LINK;
          default -> Kind.OTHER;
        };
    return new Facts(kind, (Long) found.get("size"), (FileTime) found.get("lastModifiedTime"));
  }

  private static Path pathOf(int descriptor) {
    return Path.of("/proc/self/fd/" + descriptor);
  }

  /** Returns a path that can be used as long as this handle is open. */
  public Path path() {
    return pathOf(descriptor);
  }

  public Facts facts() {
    return facts;
  }

  @Override
  public void close() {
    Linux.close(descriptor);
  }
}
