package dev.trainyard.server.backup;

import dev.trainyard.engine.linux.RawName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Writes entries of a backup below a directory that only the server can access. Regardless of their
 * names, files are created only in directories that were created before, never through a link.
 */
final class TreeLoad {
  /**
   * Mode bits that are restored. The setuid and setgid bits are not restored, because a backup must
   * not introduce privileged programs.
   */
  private static final int ALLOWED_MODE_BITS = 01777;

  private final Path root;
  private final boolean keepOwners;
  private final byte[] buffer = new byte[64 * 1024];

  /** The directories whose mode is still to be set, innermost first. */
  private final Deque<ArchiveEntry> directories = new ArrayDeque<>();

  private Path safeParent;

  /**
   * @param keepOwners whether to restore the owners of files, which only root can do
   */
  TreeLoad(Path root, boolean keepOwners) {
    this.root = root;
    this.keepOwners = keepOwners;
    this.safeParent = root;
  }

  void write(ArchiveEntry entry, ArchiveReader.Content content) throws IOException {
    Path path = requireSafePath(entry.name());
    finishDirectories(entry.name());
    switch (entry.kind()) {
      case DIRECTORY -> {
        Files.createDirectory(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        // The final mode is set after the content was written, because it may deny access.
        directories.push(entry);
      }
      case LINK -> {
        if (entry.target().isEmpty() || entry.target().indexOf('\0') >= 0) {
          throw new IOException(entry.name() + " has no valid link target");
        }
        Files.createSymbolicLink(path, RawName.path(entry.target()));
        restoreOwner(path, entry);
      }
      case FILE -> {
        try (FileChannel out =
            FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
          if (entry.isSparse()) {
            SparseContent.restore(content, entry.sparseSize(), out);
          } else {
            for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
              SparseContent.write(out, buffer, count);
            }
          }
        }
        restoreAttributes(path, entry);
      }
    }
  }

  /** Sets the modes of the remaining directories. */
  void finish() throws IOException {
    finishDirectories("");
  }

  /**
   * Restores the attributes of the directories that do not contain the next entry. These
   * directories are complete, because in a backup the content of a directory directly follows the
   * directory. Therefore only open directories are kept in memory, and a tree may have any number
   * of directories.
   */
  private void finishDirectories(String nextEntry) throws IOException {
    while (!directories.isEmpty() && !nextEntry.startsWith(directories.peek().name() + "/")) {
      ArchiveEntry entry = directories.pop();
      restoreAttributes(root.resolve(RawName.path(entry.name())), entry);
    }
  }

  private Path requireSafePath(String name) throws IOException {
    for (String part : name.split("/", -1)) {
      if (part.isEmpty() || part.equals(".") || part.equals("..") || part.indexOf('\0') >= 0) {
        throw new IOException("the name " + name + " is outside the directory");
      }
    }
    Path path = root.resolve(RawName.path(name));
    Path parent = path.getParent();
    if (!parent.equals(safeParent)) {
      requireDirectories(parent);
      safeParent = parent;
    }
    return path;
  }

  private void requireDirectories(Path parent) throws IOException {
    Path directory = root;
    for (Path part : root.relativize(parent)) {
      directory = directory.resolve(part);
      if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(parent + " is not a directory of the backup");
      }
    }
  }

  private void restoreAttributes(Path path, ArchiveEntry entry) throws IOException {
    restoreOwner(path, entry);
    Files.setAttribute(
        path, "unix:mode", entry.mode() & ALLOWED_MODE_BITS, LinkOption.NOFOLLOW_LINKS);
    Files.setLastModifiedTime(path, FileTime.from(entry.modified(), TimeUnit.SECONDS));
  }

  private void restoreOwner(Path path, ArchiveEntry entry) throws IOException {
    if (keepOwners) {
      Files.setAttribute(path, "unix:uid", entry.uid(), LinkOption.NOFOLLOW_LINKS);
      Files.setAttribute(path, "unix:gid", entry.gid(), LinkOption.NOFOLLOW_LINKS);
    }
  }
}
