package dev.trainyard.server.queue;

import dev.trainyard.server.user.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The directories of users and of all users together in the data directory. */
public final class UserDirectories {
  private final Path data;

  public UserDirectories(Path data) {
    this.data = data;
  }

  /** Creates the directory of datasets, so that the administrator sees where datasets belong. */
  public void createDatasets() {
    try {
      Files.createDirectories(
          data.resolve("gdata"),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Keeps the files of a deleted user under a name that no user can have, so that a later user of
   * the same name starts with an empty home.
   */
  public void userDeleted(User user) {
    Path home = data.resolve("home").resolve(user.name());
    try {
      if (Files.exists(home, LinkOption.NOFOLLOW_LINKS)) {
        Files.move(home, home.resolveSibling(user.name() + "~" + user.id()));
      }
      new StorageVolumes(data).userDeleted(user);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
