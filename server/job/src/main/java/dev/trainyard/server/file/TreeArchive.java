package dev.trainyard.server.file;

import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.server.backup.RawName;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packs a directory that its owner may change at any moment. It is packed in steps, so that no
 * thread is occupied while a client is slow. Every step starts from an open directory and does not
 * follow links, so nothing outside the directory is ever read. Links are omitted, because they
 * could make a program that unpacks the archive write elsewhere. Files that vanish or are
 * unreadable are omitted too; any other failure aborts the archive.
 *
 * <p>Only the current directory and file are open. The files of a directory are packed before its
 * subdirectories, which are opened from the root by their names. For one thread at a time.
 */
final class TreeArchive implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TreeArchive.class);

  /** Maximum depth; opening a directory takes one step per level. */
  private static final int DEEPEST = 400;

  /**
   * Maximum number of directories that are found but not packed yet; their names are kept in
   * memory.
   */
  private static final int MAX_PENDING_BYTES = 50_000;

  private static final int BLOCK = 64 * 1024;

  /** Limits of one step: bytes read, and number of files and directories. */
  private static final long MAX_READ_BYTES = 1024 * 1024;

  private static final int MAX_ENTRIES_PER_STEP = 500;

  /** Writes files to an archive. Names are bytes, as Latin-1. */
  interface Packer {
    void directory(String name, FileHandle.Facts facts) throws IOException;

    /** Begins a file. Returns false if it is omitted. */
    boolean begin(String name, FileHandle.Facts facts) throws IOException;

    void content(byte[] bytes, int length) throws IOException;

    void end(FileHandle.Facts facts) throws IOException;

    /** Returns whether a file must have the same size as when it was begun. */
    boolean fixedSize();

    void finish() throws IOException;
  }

  /**
   * A directory that is still to be packed.
   *
   * @param parent null for the root
   */
  private record Branch(Branch parent, String name, int depth) {
    Branch child(String childName) {
      return new Branch(this, childName, depth + 1);
    }

    /** Returns the names that lead here from the root. */
    Deque<String> way() {
      Deque<String> names = new ArrayDeque<>();
      for (Branch at = this; at.parent != null; at = at.parent) {
        names.push(at.name);
      }
      return names;
    }

    String path() {
      Deque<String> names = way();
      Branch top = this;
      while (top.parent != null) {
        top = top.parent;
      }
      names.push(top.name);
      return String.join("/", names);
    }
  }

  private final FileHandle root;
  private final Packer packer;
  private final int mostPending;
  private final byte[] block = new byte[BLOCK];
  private final Deque<Branch> branches = new ArrayDeque<>();

  private Branch branch;

  /** Path of the current directory in the archive. */
  private String path;

  private FileHandle directory;
  private DirectoryStream<Path> listing;
  private Iterator<Path> children;
  private Deque<Branch> found = new ArrayDeque<>();
  private FileHandle.Facts facts;
  private FileContent content;

  /**
   * @param root closed by the caller
   * @param name of the only top-level entry of the archive
   */
  TreeArchive(FileHandle root, String name, Packer packer) {
    this(root, name, packer, MAX_PENDING_BYTES);
  }

  /**
   * @param mostPending maximum number of pending directories; more abort the archive
   */
  TreeArchive(FileHandle root, String name, Packer packer, int mostPending) {
    this.root = root;
    this.packer = packer;
    this.mostPending = mostPending;
    branches.add(new Branch(null, name, 0));
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
        nextChild();
      } else if (!branches.isEmpty()) {
        entries++;
        enter(branches.pop());
      } else {
        packer.finish();
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("StreamResourceLeak") // closed by leave
  private void enter(Branch next) throws IOException {
    branch = next;
    path = next.path();
    found = new ArrayDeque<>();
    try {
      directory = open(next);
      if (directory.facts().kind() == FileHandle.Kind.DIRECTORY) {
        packer.directory(path, directory.facts());
        listing = Files.newDirectoryStream(directory.path());
        children = listing.iterator();
        return;
      }
    } catch (IOException e) {
      skip(path, e);
    }
    leave();
  }

  private FileHandle open(Branch wanted) throws IOException {
    FileHandle at = root.child(".");
    for (String part : wanted.way()) {
      try (FileHandle above = at) {
        at = above.child(part);
      }
    }
    return at;
  }

  private void nextChild() throws IOException {
    try {
      if (children.hasNext()) {
        child(RawName.of(children.next().getFileName()));
        return;
      }
    } catch (DirectoryIteratorException e) {
      skip(path, e.getCause());
    }
    found.descendingIterator().forEachRemaining(branches::push);
    leave();
  }

  private void child(String childName) throws IOException {
    String name = path + "/" + childName;
    try (FileHandle opened = directory.child(childName)) {
      switch (opened.facts().kind()) {
        case DIRECTORY -> {
          if (branch.depth() == DEEPEST) {
            throw refusal(
                "%s is too deep for an archive: at most %d levels".formatted(name, DEEPEST));
          }
          add(branch.child(childName));
        }
        case FILE -> {
          FileContent file = FileContent.open(opened);
          facts = opened.facts();
          content = file;
          if (!packer.begin(name, facts)) {
            closeFile();
          }
        }
        case LINK, OTHER -> LOG.debug("{} is not in the archive: it is not a regular file", name);
      }
    } catch (IOException e) {
      if (content != null) {
        throw e;
      }
      skip(name, e);
    }
  }

  private void add(Branch child) throws IOException {
    if (branches.size() + found.size() >= mostPending) {
      throw refusal(
          "%s has too many subdirectories for an archive: at most %d can be pending"
              .formatted(path, mostPending));
    }
    found.add(child);
  }

  /** Logs the reason, because the response has begun and can't contain it. */
  private static IOException refusal(String reason) {
    LOG.warn("failed to create an archive for download: {}", reason);
    return new IOException(reason);
  }

  private long readBlock() throws IOException {
    int count = 0;
    if (content.left() > 0) {
      count = content.read(block);
      if (count < 0 && packer.fixedSize()) {
        count = content.skip(block);
      }
    }
    if (count > 0) {
      packer.content(block, count);
      return count;
    }
    packer.end(facts);
    closeFile();
    return 0;
  }

  private static void skip(String name, IOException e) throws IOException {
    if (!isOfOneFile(e)) {
      throw e;
    }
    LOG.debug("{} is not in the archive: {}", name, e.getMessage());
  }

  /** Returns whether only this file is affected, so that the others can still be packed. */
  static boolean isOfOneFile(IOException e) {
    return e instanceof NoSuchFileException
        || e instanceof AccessDeniedException
        || e instanceof NotDirectoryException
        || (e instanceof LinuxException refused && !refused.isExhaustion());
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
