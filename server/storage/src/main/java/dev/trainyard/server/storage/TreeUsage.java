package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.RawName;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;

/**
 * Counts the files below a directory that its owner may change at any moment. It works in steps, so
 * that several counts can share a thread, and does not follow links. Directories that the user may
 * not read are counted without their content. Only one directory is open at a time; the others are
 * opened from the root by their names. Not thread-safe.
 */
public final class TreeUsage implements AutoCloseable {
  private static final int MAX_ENTRIES_PER_STEP = 2_000;

  /** Maximum depth; opening a directory takes one system call per level. */
  private static final int MAX_DEPTH = 400;

  /** Maximum number of directories whose names are kept in memory. */
  private static final int MAX_PENDING = 100_000;

  private final FileHandle root;
  private final Predicate<FileHandle.Attributes> readable;
  private final Deque<PendingDirectory> pendingDirectories = new ArrayDeque<>();
  private PendingDirectory current;
  private FileHandle directory;
  private DirectoryStream<Path> listing;
  private Iterator<Path> children;
  private long bytes;
  private long files;
  private long directories;

  /**
   * @param root a file or directory, which this object closes
   * @param readable whether the content of a directory is counted
   */
  TreeUsage(FileHandle root, Predicate<FileHandle.Attributes> readable) {
    this.root = root;
    this.readable = readable;
    if (root.attributes().kind() == FileHandle.Kind.DIRECTORY) {
      pendingDirectories.add(PendingDirectory.root(""));
    } else {
      addFile(root.attributes());
    }
  }

  private void addFile(FileHandle.Attributes attributes) {
    files++;
    bytes += attributes.kind() == FileHandle.Kind.FILE ? attributes.size() : 0;
  }

  /** Counts the next entries. Returns false at the end. */
  public boolean step() throws IOException {
    for (int entries = 0; entries < MAX_ENTRIES_PER_STEP; ) {
      Requester.requireCurrent();
      if (children != null) {
        entries++;
        countNext();
      } else if (!pendingDirectories.isEmpty()) {
        PendingDirectory next = pendingDirectories.pop();
        entries += 1 + next.depth();
        enter(next);
      } else {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("StreamResourceLeak") // closed by leave
  private void enter(PendingDirectory next) throws IOException {
    try {
      directory = next.open(root);
      if (directory.attributes().kind() == FileHandle.Kind.DIRECTORY
          && readable.test(directory.attributes())) {
        listing = Files.newDirectoryStream(directory.path());
        children = listing.iterator();
        current = next;
        return;
      }
    } catch (IOException e) {
      // It was deleted or replaced in the meantime, or is unreadable.
    }
    leave();
  }

  private void countNext() throws IOException {
    try {
      if (!children.hasNext()) {
        leave();
        return;
      }
      Path child = children.next();
      FileHandle.Attributes attributes = FileHandle.attributes(child, LinkOption.NOFOLLOW_LINKS);
      if (attributes.kind() == FileHandle.Kind.DIRECTORY) {
        directories++;
        addPending(RawName.of(child.getFileName()));
      } else {
        addFile(attributes);
      }
    } catch (NoSuchFileException e) {
      // It was deleted in the meantime.
    } catch (DirectoryIteratorException e) {
      leave();
    }
  }

  private void addPending(String name) {
    if (current.depth() >= MAX_DEPTH || pendingDirectories.size() >= MAX_PENDING) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("error.tree-too-large", "depth", MAX_DEPTH).with("directories", MAX_PENDING));
    }
    pendingDirectories.push(current.child(name));
  }

  private void leave() throws IOException {
    children = null;
    if (listing != null) {
      listing.close();
      listing = null;
    }
    if (directory != null) {
      directory.close();
      directory = null;
    }
  }

  /** Returns the total size of the regular files found so far. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of files found so far, including links and other kinds. */
  public long files() {
    return files;
  }

  /** Returns the number of directories found so far, without the root. */
  public long directories() {
    return directories;
  }

  @Override
  public void close() throws IOException {
    leave();
    root.close();
  }
}
