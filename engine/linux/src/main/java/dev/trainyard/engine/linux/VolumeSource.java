package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Prepares the host directory of a volume. */
public final class VolumeSource {
  private VolumeSource() {}

  /**
   * Creates the directory if necessary and sets its owner. Files in the directory are not changed,
   * because they are the owner's responsibility.
   */
  public static void prepare(Volume volume, IdRange idRange) throws IOException {
    Path source = volume.source();
    createIfMissing(volume);
    if (volume.access() == Volume.Access.OWNED) {
      int owner = owner(source);
      if (IdRange.belongsToUser(owner) && !idRange.contains(owner)) {
        throw new EngineException(
            "the directory for "
                + volume.target()
                + " belongs to another user of the platform; the administrator has to move it"
                + " away");
      }
      if (owner != idRange.base()) {
        Linux.changeOwner(Linux.AT_FDCWD, source.toString(), idRange.base(), idRange.base());
      }
    }
  }

  /**
   * Like {@link #prepare(Volume, IdRange)}, but for a server that is not root and owns the
   * directories itself.
   *
   * @param account user ID of the server
   */
  public static void prepare(Volume volume, int account) throws IOException {
    createIfMissing(volume);
    if (volume.access() == Volume.Access.OWNED && owner(volume.source()) != account) {
      throw new EngineException(
          "the directory for "
              + volume.target()
              + " does not belong to the server's account; the administrator has to change"
              + " its owner (chown -R)");
    }
  }

  private static void createIfMissing(Volume volume) throws IOException {
    Path source = volume.source();
    if (Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    if (volume.access() == Volume.Access.READ_ONLY) {
      throw new EngineException("the directory for " + volume.target() + " is missing");
    }
    if (Files.isSymbolicLink(source)) {
      // Otherwise the target of the link, which may be anywhere, would get the mode of a volume.
      throw new EngineException(
          "the directory for "
              + volume.target()
              + " is a symbolic link; the administrator has to replace it with a directory or a"
              + " bind mount");
    }
    Files.createDirectories(source);
    int mode = volume.access() == Volume.Access.OWNED ? 0700 : 01777;
    Linux.changeMode(source.toString(), mode);
  }

  private static int owner(Path directory) throws IOException {
    return (Integer) Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }
}
