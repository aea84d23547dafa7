package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.FileHandle;
import java.io.IOException;

/**
 * A place for files of users, such as a home. Every access of the server on behalf of a user goes
 * through this interface, which checks what the user may do. A path never leads out of the storage,
 * even if tasks change directories and links at the same time. docs/storage.md describes the
 * contract; {@code StorageContract} tests it.
 *
 * <p>Failures are an {@code AppException} with the path as the user named it. Implementations are
 * thread-safe.
 */
public interface Storage {
  /** Returns the name by which users refer to the storage. */
  String name();

  /**
   * Opens a file or directory that the user may read. The caller closes it.
   *
   * @throws IOException if the file system fails
   */
  FileHandle open(StorageUser user, StoragePath path) throws IOException;

  /** Returns the attributes of a file or directory; a link in the last name is not followed. */
  FileHandle.Attributes stat(StorageUser user, StoragePath path) throws IOException;

  /**
   * Lists a directory.
   *
   * @param after the bytes of a name, as Latin-1, after which the page begins; empty for the first
   *     page
   */
  DirectoryPage list(StorageUser user, StoragePath path, String after, int limit)
      throws IOException;

  /**
   * Begins to write a file. It becomes visible, complete, when the upload is committed.
   *
   * @param overwrite whether an existing file is replaced; otherwise it is a conflict
   */
  Upload write(StorageUser user, StoragePath path, boolean overwrite) throws IOException;

  /** Creates a directory with its parents; has no effect if it exists. */
  void createDirectory(StorageUser user, StoragePath path) throws IOException;

  /**
   * Renames a file or directory. The parent of the new path must exist.
   *
   * @param overwrite whether an existing file or empty directory is replaced; otherwise it is a
   *     conflict
   */
  void move(StorageUser user, StoragePath from, StoragePath to, boolean overwrite)
      throws IOException;

  /**
   * Deletes a file, a link, or a directory.
   *
   * @param recursive whether a directory is deleted with its content; otherwise it must be empty
   */
  void delete(StorageUser user, StoragePath path, boolean recursive) throws IOException;

  /** Begins to count the files below a path. The caller performs the steps and closes it. */
  TreeUsage usage(StorageUser user, StoragePath path) throws IOException;

  /** Returns whether the user may read a file that was found below a directory of this storage. */
  boolean isReadable(StorageUser user, FileHandle.Attributes attributes);
}
