package dev.trainyard.server.file;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.RawName;
import dev.trainyard.server.storage.PendingDirectory;
import dev.trainyard.server.storage.StagingName;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs a directory, which its owner may change at any moment. Packing is divided into steps, so
 * that a slow client does not occupy a thread. Every step starts from an open directory and does
 * not follow links, so nothing outside the directory is ever read. Links are omitted, because a
 * program that unpacks the archive could follow a link and write to another directory. Files that
 * are deleted meanwhile or are unreadable are omitted too; any other failure aborts the archive.
 *
 * <p>Apart from the root, only the current directory and file are open. The files of a directory
 * are packed before the subdirectories. A subdirectory is opened from the root, by the names on its
 * path. Not thread-safe.
 */
final class TreeArchive implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TreeArchive.class);

  /** Maximum depth; opening a directory takes one system call per level. */
  private static final int MAX_DEPTH = 400;

  /**
   * Maximum number of directories that are found but not packed yet; their names are kept in
   * memory.
   */
  private static final int MAX_PENDING_DIRECTORIES = 50_000;

  private static final int BLOCK_SIZE = 64 * 1024;

  /**
   * Maximum number of bytes that one step reads; {@link #MAX_ENTRIES_PER_STEP} limits the files and
   * directories.
   */
  private static final long MAX_READ_BYTES = 1024 * 1024;

  private static final int MAX_ENTRIES_PER_STEP = 500;

  /** Writes files to an archive. Names are bytes, as Latin-1. */
  interface Packer {
    void addDirectory(String name, FileHandle.Attributes attributes) throws IOException;

    /** Begins a file. Returns false if this format must omit the file. */
    boolean beginFile(String name, FileHandle.Attributes attributes) throws IOException;

    void writeContent(byte[] bytes, int length) throws IOException;

    void endFile(FileHandle.Attributes attributes) throws IOException;

    /**
     * Returns whether the content of a file must have the size that {@link #beginFile} received.
     */
    boolean isSizeFixed();

    void finish() throws IOException;
  }

  private final FileHandle root;
  private final Packer packer;
  private final Predicate<FileHandle.Attributes> included;
  private final int maxPending;
  private final byte[] block = new byte[BLOCK_SIZE];
  private final Deque<PendingDirectory> pendingDirectories = new ArrayDeque<>();

  private PendingDirectory current;

  /** Path of the current directory in the archive. */
  private String path;

  private FileHandle directory;
  private DirectoryStream<Path> listing;
  private Iterator<Path> children;
  private Deque<PendingDirectory> subdirectories = new ArrayDeque<>();
  private FileHandle.Attributes attributes;
  private FileContent content;

  /**
   * @param root closed by the caller
   * @param name name of the only top-level entry of the archive
   * @param included whether a file or directory is in the archive
   */
  TreeArchive(
      FileHandle root, String name, Packer packer, Predicate<FileHandle.Attributes> included) {
    this(root, name, packer, included, MAX_PENDING_DIRECTORIES);
  }

  /**
   * @param maxPending maximum number of pending directories; the archive is aborted if there are
   *     more
   */
  TreeArchive(
      FileHandle root,
      String name,
      Packer packer,
      Predicate<FileHandle.Attributes> included,
      int maxPending) {
    this.root = root;
    this.packer = packer;
    this.included = included;
    this.maxPending = maxPending;
    pendingDirectories.add(PendingDirectory.root(name));
  }

  /** Packs the next part. Returns false at the end of the archive. */
  boolean step() throws IOException {
    long read = 0;
    for (int entries = 0; entries < MAX_ENTRIES_PER_STEP && read < MAX_READ_BYTES; ) {
      Requester.requireCurrent();
      if (content != null) {
        read += readBlock();
      } else if (children != null) {
        entries++;
        packNextChild();
      } else if (!pendingDirectories.isEmpty()) {
        entries++;
        enter(pendingDirectories.pop());
      } else {
        packer.finish();
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("StreamResourceLeak") // closed by leave
  private void enter(PendingDirectory next) throws IOException {
    current = next;
    path = next.path();
    subdirectories = new ArrayDeque<>();
    try {
      directory = next.open(root);
      if (directory.attributes().kind() == FileHandle.Kind.DIRECTORY) {
        packer.addDirectory(path, directory.attributes());
        listing = Files.newDirectoryStream(directory.path());
        children = listing.iterator();
        return;
      }
    } catch (IOException e) {
      skipOrThrow(path, e);
    }
    leave();
  }

  private void packNextChild() throws IOException {
    try {
      if (children.hasNext()) {
        packChild(RawName.of(children.next().getFileName()));
        return;
      }
    } catch (DirectoryIteratorException e) {
      skipOrThrow(path, e.getCause());
    }
    subdirectories.descendingIterator().forEachRemaining(pendingDirectories::push);
    leave();
  }

  private void packChild(String childName) throws IOException {
    String name = path + "/" + childName;
    try (FileHandle opened = directory.child(childName)) {
      if (StagingName.isStaging(childName) || !included.test(opened.attributes())) {
        return;
      }
      switch (opened.attributes().kind()) {
        case DIRECTORY -> {
          if (current.depth() == MAX_DEPTH) {
            throw rejection(
                "%s is too deep for an archive: at most %d levels".formatted(name, MAX_DEPTH));
          }
          addPending(current.child(childName));
        }
        case FILE -> {
          FileContent file = FileContent.open(opened);
          attributes = opened.attributes();
          content = file;
          if (!packer.beginFile(name, attributes)) {
            closeFile();
          }
        }
        case LINK, OTHER -> LOG.debug("{} is not in the archive: it is not a regular file", name);
      }
    } catch (IOException e) {
      if (content != null) {
        throw e;
      }
      skipOrThrow(name, e);
    }
  }

  private void addPending(PendingDirectory child) throws IOException {
    if (pendingDirectories.size() + subdirectories.size() >= maxPending) {
      throw rejection(
          "%s has too many subdirectories for an archive: at most %d can be pending"
              .formatted(path, maxPending));
    }
    subdirectories.add(child);
  }

  /**
   * Creates an exception and logs the reason, because the response has begun and cannot contain the
   * reason.
   */
  private static IOException rejection(String reason) {
    LOG.warn("failed to create an archive for download: {}", reason);
    return new IOException(reason);
  }

  private long readBlock() throws IOException {
    int count = 0;
    if (content.remaining() > 0) {
      count = content.read(block);
      if (count < 0 && packer.isSizeFixed()) {
        count = content.readZeros(block);
      }
    }
    if (count > 0) {
      packer.writeContent(block, count);
      return count;
    }
    packer.endFile(attributes);
    closeFile();
    return 0;
  }

  private static void skipOrThrow(String name, IOException e) throws IOException {
    if (!affectsOneFile(e)) {
      throw e;
    }
    LOG.debug("{} is not in the archive: {}", name, e.getMessage());
  }

  /**
   * Returns whether an error affects only one file, so that the other files can still be packed.
   */
  static boolean affectsOneFile(IOException e) {
    return e instanceof NoSuchFileException
        || e instanceof AccessDeniedException
        || e instanceof NotDirectoryException
        || (e instanceof LinuxException linuxError && !linuxError.isExhaustion());
  }

  private void closeFile() throws IOException {
    content.close();
    content = null;
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

  @Override
  public void close() throws IOException {
    if (content != null) {
      closeFile();
    }
    leave();
  }
}
