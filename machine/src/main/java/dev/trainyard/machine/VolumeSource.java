package dev.trainyard.machine;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.Volume;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** The directory of the machine that a volume is. */
public final class VolumeSource {
  private VolumeSource() {}

  /** Only the directory itself changes hands: what is in it is its owner's business. */
  public static void make(Volume volume, IdRange ids) throws IOException {
    Path source = volume.source();
    if (!Files.isDirectory(source, LinkOption.NOFOLLOW_LINKS)) {
      if (volume.access() == Volume.Access.READ_ONLY) {
        throw new EngineException("the directory for " + volume.target() + " is missing");
      }
      Files.createDirectories(source);
      int mode = volume.access() == Volume.Access.OWNED ? 0700 : 01777;
      Linux.changeMode(source.toString(), mode);
    }
    if (volume.access() == Volume.Access.OWNED) {
      int owner = (Integer) Files.getAttribute(source, "unix:uid", LinkOption.NOFOLLOW_LINKS);
      if (IdRange.isOfAUser(owner) && !ids.contains(owner)) {
        throw new EngineException(
            "the directory for "
                + volume.target()
                + " belongs to another user of the platform; the administrator has to move it"
                + " away");
      }
      if (owner != ids.base()) {
        Linux.changeOwner(Linux.AT_FDCWD, source.toString(), ids.base(), ids.base());
      }
    }
  }
}
