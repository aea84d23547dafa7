package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.FileHandle.Attributes;
import dev.trainyard.engine.linux.IdRange;
import java.util.Optional;

/**
 * Decides what a user may do with a file by the rules that apply to the tasks of the user: they own
 * the files of the user's ID range, and have the permissions of others for all other files. A
 * server that does not run as root has no more access than its account, so only the kernel decides.
 *
 * @param ids the IDs of the user; empty if the kernel decides
 */
record FileAccess(Optional<IdRange> ids) {
  private static final int OTHERS_READ = 04;
  private static final int OTHERS_WRITE = 02;
  private static final int OTHERS_EXECUTE = 01;
  private static final int STICKY = 01000;

  boolean mayRead(Attributes file) {
    return file.kind() == FileHandle.Kind.DIRECTORY
        ? has(file, OTHERS_READ | OTHERS_EXECUTE)
        : has(file, OTHERS_READ);
  }

  /** Returns whether the user may open files in a directory. */
  boolean mayEnter(Attributes directory) {
    return has(directory, OTHERS_EXECUTE);
  }

  /** Returns whether the user may create files in a directory. */
  boolean mayChange(Attributes directory) {
    return has(directory, OTHERS_WRITE | OTHERS_EXECUTE);
  }

  /** Returns whether the user may delete, rename or replace an entry of a directory. */
  boolean mayRemove(Attributes directory, Attributes entry) {
    boolean isSticky = (directory.permissions() & STICKY) != 0;
    return mayChange(directory) && (!isSticky || owns(entry) || owns(directory));
  }

  private boolean has(Attributes file, int permissions) {
    return owns(file) || (file.permissions() & permissions) == permissions;
  }

  private boolean owns(Attributes file) {
    return ids.isEmpty() || ids.get().contains(file.owner());
  }
}
