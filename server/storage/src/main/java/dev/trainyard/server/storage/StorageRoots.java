package dev.trainyard.server.storage;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/**
 * The root directories of a storage and the owners of its files, which depend on the account of the
 * server: root gives every file to the ID range of its user; other accounts own all files
 * themselves.
 *
 * @param volume returns the volume that the tasks of a user see
 * @param readOnly whether users may not change files
 * @param preparer creates the directory of a volume for the user of an ID range, as the engine does
 *     it for tasks
 * @param serverIsRoot whether the server can give files to other owners
 */
record StorageRoots(
    Function<StorageUser, Volume> volume,
    boolean readOnly,
    ObjIntConsumer<Volume> preparer,
    boolean serverIsRoot) {
  private static final Path SELF = Path.of("/proc/self");

  /**
   * Returns whether this process runs as root. Follows the link, because the link itself always
   * belongs to root.
   */
  static boolean isRoot() {
    try {
      return Files.getAttribute(SELF, "unix:uid").equals(0);
    } catch (IOException e) {
      return false;
    }
  }

  FileAccess access(StorageUser user) {
    return new FileAccess(
        serverIsRoot ? Optional.of(IdRange.of(user.idRange())) : Optional.empty());
  }

  /** Opens the root for a user. Creates it if no task has used it yet. */
  FileHandle open(StorageUser user) throws IOException {
    Volume userVolume = volume.apply(user);
    Path directory = userVolume.source();
    if (!isPrepared(userVolume, user)) {
      try {
        preparer.accept(userVolume, user.idRange());
      } catch (EngineException e) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("error.storage-unusable", "reason", String.valueOf(e.getMessage())));
      }
    }
    FileHandle root = FileHandle.of(directory);
    if (root.attributes().kind() != FileHandle.Kind.DIRECTORY) {
      root.close();
      throw new IOException(directory + " is not a directory");
    }
    return root;
  }

  private boolean isPrepared(Volume userVolume, StorageUser user) throws IOException {
    Path directory = userVolume.source();
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    return !serverIsRoot
        || userVolume.access() != Volume.Access.OWNED
        || Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS)
            .equals(IdRange.of(user.idRange()).base());
  }

  /** Sets owner and mode of a file or directory that the server has just created. */
  void handOver(FileHandle created, StorageUser user, int mode) throws IOException {
    FileHandle.Attributes attributes = created.attributes();
    if (serverIsRoot && attributes.owner() != 0) {
      // A task has replaced it; the owner of the other file must not change.
      return;
    }
    Path path = created.path();
    Files.setAttribute(path, "unix:mode", mode);
    if (serverIsRoot) {
      int owner = IdRange.of(user.idRange()).base();
      Files.setAttribute(path, "unix:gid", owner);
      Files.setAttribute(path, "unix:uid", owner);
    }
  }
}
