package dev.trainyard.server.backup;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.RawName;
import dev.trainyard.engine.linux.TaskWrittenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes directory trees of users, who may change the trees at any time. Every file is opened
 * relative to an open directory and without following links, so nothing outside of a tree is ever
 * read. Files that vanish or cannot be stored are skipped and counted. Directories are read entry
 * by entry, because they may contain any number of names.
 */
final class TreeDump {
  private static final Logger LOG = LoggerFactory.getLogger(TreeDump.class);

  /** Maximum depth of a tree, limited because each level keeps three descriptors open. */
  private static final int MAX_DEPTH = 400;

  private static final int TYPE_MASK = 0170000;
  private static final int REGULAR = 0100000;
  private static final int DIRECTORY = 0040000;
  private static final int LINK = 0120000;

  private final ArchiveWriter archive;
  private long entries;
  private long bytes;
  private long skipped;

  TreeDump(ArchiveWriter archive) {
    this.archive = archive;
  }

  /** Writes a directory under the given name; does nothing if it does not exist. */
  Manifest.Tree write(Path directory, String name) throws IOException {
    entries = 0;
    bytes = 0;
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      try (FileHandle handle = FileHandle.of(directory)) {
        writeDirectory(handle, name, readAttributes(handle.path()), 0);
      }
    }
    return new Manifest.Tree(entries, bytes);
  }

  /** Returns the number of files skipped in all trees so far. */
  long skipped() {
    return skipped;
  }

  private static Map<String, Object> readAttributes(Path path, LinkOption... options)
      throws IOException {
    return Files.readAttributes(path, "unix:mode,uid,gid,size,lastModifiedTime", options);
  }

  @SuppressWarnings("StreamResourceLeak") // the stream is closed below
  private void writeDirectory(
      FileHandle handle, String name, Map<String, Object> attributes, int depth)
      throws IOException {
    archive.add(entry(name, ArchiveEntry.Kind.DIRECTORY, attributes, 0, ""));
    entries++;
    if (depth == MAX_DEPTH) {
      skip(name, "it is nested too deeply");
      return;
    }
    DirectoryStream<Path> children;
    try {
      children = Files.newDirectoryStream(handle.path());
    } catch (IOException e) {
      skip(name, e.getMessage());
      return;
    }
    try (children) {
      Iterator<Path> iterator = children.iterator();
      while (hasNext(iterator, name)) {
        Path child = iterator.next();
        writeChild(child, name + "/" + RawName.of(child.getFileName()), depth);
      }
    }
  }

  /**
   * Returns whether there is another entry. If the directory cannot be read, skips the rest and
   * returns false.
   */
  private boolean hasNext(Iterator<Path> children, String name) {
    try {
      return children.hasNext();
    } catch (DirectoryIteratorException e) {
      skip(name, e.getMessage());
      return false;
    }
  }

  private void writeChild(Path child, String name, int depth) throws IOException {
    FileHandle handle;
    Map<String, Object> attributes;
    try {
      attributes = readAttributes(child, LinkOption.NOFOLLOW_LINKS);
      if (type(attributes) == LINK) {
        String target = RawName.of(Files.readSymbolicLink(child));
        archive.add(entry(name, ArchiveEntry.Kind.LINK, attributes, 0, target));
        entries++;
        return;
      }
      handle = FileHandle.of(child);
    } catch (IOException e) {
      skip(name, e.getMessage());
      return;
    }
    // From here on, the handle refers to the same file even if the name is changed.
    try (handle) {
      attributes = readAttributes(handle.path());
      switch (type(attributes)) {
        case DIRECTORY -> writeDirectory(handle, name, attributes, depth + 1);
        case REGULAR -> writeFile(handle, name, attributes);
        default -> skip(name, "it is not a regular file");
      }
    }
  }

  private void writeFile(FileHandle handle, String name, Map<String, Object> attributes)
      throws IOException {
    long size = (Long) attributes.get("size");
    ArchiveEntry entry = entry(name, ArchiveEntry.Kind.FILE, attributes, size, "");
    InputStream content;
    try {
      Optional<SparseContent> sparse = SparseContent.open(handle.path(), size);
      if (sparse.isPresent()) {
        entry = entry.asSparse(sparse.get().storedSize(), sparse.get().fileSize());
        content = sparse.get();
      } else {
        content = Channels.newInputStream(TaskWrittenFile.openForReading(handle.path()));
      }
    } catch (IOException e) {
      skip(name, e.getMessage());
      return;
    }
    try (content) {
      archive.add(entry, content);
      entries++;
      bytes += entry.size();
    }
  }

  private static int type(Map<String, Object> attributes) {
    return (Integer) attributes.get("mode") & TYPE_MASK;
  }

  private static ArchiveEntry entry(
      String name,
      ArchiveEntry.Kind kind,
      Map<String, Object> attributes,
      long size,
      String target) {
    return new ArchiveEntry(
        name,
        kind,
        (Integer) attributes.get("mode") & 07777,
        (Integer) attributes.get("uid"),
        (Integer) attributes.get("gid"),
        size,
        Math.max(0, ((FileTime) attributes.get("lastModifiedTime")).to(TimeUnit.SECONDS)),
        target);
  }

  private void skip(String name, String reason) {
    skipped++;
    LOG.debug("{} is not in the backup: {}", name, reason);
  }
}
