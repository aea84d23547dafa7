package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.DirectoryEntries;
import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.OptionalInt;

/**
 * An upload to a directory of this host. Until the commit it is a file without a name, which
 * vanishes with the process; if the file system does not support this, a file with a hidden name.
 */
final class DirectoryUpload implements Upload {
  private final DirectoryStorage storage;
  private final StorageUser user;
  private final FileHandle root;
  private final FileHandle stagingDirectory;
  private final StoragePath path;
  private final boolean overwrite;

  /** The hidden name; empty for a file without a name, and after the commit. */
  private String stagingName;

  /** Descriptor of the file, by which it is handed over: a task can replace the hidden name. */
  private final int file;

  private final FileChannel channel;

  private DirectoryUpload(
      DirectoryStorage storage,
      StorageUser user,
      FileHandle root,
      FileHandle stagingDirectory,
      StoragePath path,
      boolean overwrite,
      String stagingName,
      int file)
      throws IOException {
    this.storage = storage;
    this.user = user;
    this.root = root;
    this.stagingDirectory = stagingDirectory;
    this.path = path;
    this.overwrite = overwrite;
    this.stagingName = stagingName;
    this.file = file;
    Files.setPosixFilePermissions(filePath(), PosixFilePermissions.fromString("rw-r--r--"));
    this.channel = FileChannel.open(filePath(), StandardOpenOption.WRITE);
  }

  private Path filePath() {
    return Path.of("/proc/self/fd/" + file);
  }

  /**
   * @param root root of the storage, which the upload closes
   * @param directory the last existing directory on the way to the file
   */
  static DirectoryUpload begin(
      DirectoryStorage storage,
      StorageUser user,
      FileHandle root,
      FileHandle directory,
      StoragePath path,
      boolean overwrite,
      boolean usesUnnamedFiles)
      throws IOException {
    FileHandle staging = directory.child(".");
    int file = -1;
    try {
      rejectTakenName(storage, user, root, path, overwrite);
      OptionalInt unnamedFile =
          usesUnnamedFiles ? DirectoryEntries.createUnnamedFile(staging) : OptionalInt.empty();
      String stagingName = unnamedFile.isPresent() ? "" : StagingName.next();
      file =
          unnamedFile.isPresent()
              ? unnamedFile.getAsInt()
              : DirectoryEntries.createFile(staging, stagingName);
      return new DirectoryUpload(storage, user, root, staging, path, overwrite, stagingName, file);
    } catch (IOException | RuntimeException e) {
      Linux.close(file);
      staging.close();
      throw e;
    }
  }

  /** Rejects a file that cannot be committed before it is received. */
  private static void rejectTakenName(
      DirectoryStorage storage,
      StorageUser user,
      FileHandle root,
      StoragePath path,
      boolean overwrite)
      throws IOException {
    var parent = root.find(path.parent().toString());
    if (parent.isEmpty()) {
      return;
    }
    try (FileHandle directory = parent.get()) {
      var entry = directory.findEntry(path.name());
      if (entry.isPresent()) {
        FileHandle.Kind kind = entry.get().attributes().kind();
        entry.get().close();
        if (kind == FileHandle.Kind.DIRECTORY) {
          throw FileErrors.conflict("error.file-is-directory", path.toString());
        }
        storage.requireFree(directory, user, path, overwrite);
      }
    }
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw FileErrors.explain(e, path.toString());
    }
  }

  @Override
  public FileHandle.Attributes commit() throws IOException {
    try (FileHandle parent = storage.createDirectories(root, user, path.parent())) {
      boolean replaces = storage.requireFree(parent, user, path, overwrite);
      channel.close();
      try (FileHandle handle = FileHandle.ofOpenFile(file)) {
        storage.handOver(handle, user);
      }
      if (stagingName.isEmpty()) {
        linkUnnamed(parent, replaces);
      } else {
        DirectoryEntries.rename(stagingDirectory, stagingName, parent, path.name(), replaces);
        stagingName = "";
      }
      return FileHandle.attributes(filePath());
    } catch (IOException e) {
      throw FileErrors.explain(e, path.toString());
    }
  }

  private void linkUnnamed(FileHandle parent, boolean replaces) throws IOException {
    if (!replaces) {
      DirectoryEntries.link(file, parent, path.name());
      return;
    }
    // A link cannot replace a file, so the file first gets a hidden name.
    String hiddenName = StagingName.next();
    DirectoryEntries.link(file, parent, hiddenName);
    boolean renamed = false;
    try {
      DirectoryEntries.rename(parent, hiddenName, parent, path.name(), true);
      renamed = true;
    } finally {
      if (!renamed) {
        DirectoryEntries.deleteFile(parent, hiddenName);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
      if (!stagingName.isEmpty()) {
        DirectoryEntries.deleteFile(stagingDirectory, stagingName);
      }
    } catch (LinuxException e) {
      if (e.errno() != LinuxException.ENOENT) {
        throw e;
      }
    } finally {
      Linux.close(file);
      stagingDirectory.close();
      root.close();
    }
  }
}
