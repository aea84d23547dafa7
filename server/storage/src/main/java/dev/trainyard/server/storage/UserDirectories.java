package dev.trainyard.server.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Manages the directories of individual users, and the directories that all users share, in the
 * data directory.
 */
public final class UserDirectories {
  private final StorageDirectories directories;

  public UserDirectories(Path data) {
    this.directories = new StorageDirectories(data);
  }

  /** Creates the directory of datasets, so that the administrator sees where datasets belong. */
  public void createDatasets() {
    try {
      Files.createDirectories(
          directories.datasets(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Renames the home and the storages of a deleted user to a name that no user can have, so that a
   * later user of the same name does not get these files. The new name does not contain the old
   * name, which may have the maximum length.
   */
  public void moveAway(String userId, String name) throws IOException {
    rename(directories.homes(), userId, name);
    rename(directories.userStorages(), userId, name);
  }

  private static void rename(Path parent, String userId, String name) throws IOException {
    // Uses notExists, because exists also returns false if the file system cannot be read.
    if (Files.notExists(parent, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path userDirectory = child(parent, name);
    if (!Files.notExists(userDirectory, LinkOption.NOFOLLOW_LINKS)) {
      Files.move(userDirectory, unusedPath(parent, "~" + userId));
    }
    // Writes the directory to disk even if nothing was renamed now, because an earlier call may
    // have ended between the rename and this line.
    try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
      directory.force(true);
    }
  }

  /**
   * Returns a path that does not exist yet. After a restore, a directory of the same deleted user
   * may already have been renamed to this name.
   */
  private static Path unusedPath(Path parent, String name) throws IOException {
    Path target = child(parent, name);
    for (int i = 2; Files.exists(target, LinkOption.NOFOLLOW_LINKS); i++) {
      target = child(parent, name + "~" + i);
    }
    return target;
  }

  /**
   * Returns the path of a child; throws if the name leads to another directory. This check does not
   * rely on the validation of user names when users are created.
   */
  private static Path child(Path parent, String name) throws IOException {
    Path child = parent.resolve(name).normalize();
    if (!parent.equals(child.getParent()) || !child.endsWith(name)) {
      throw new IOException("the user name " + name + " is invalid as a directory name");
    }
    return child;
  }
}
