package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks that the directories that the server creates in its data directory are not symbolic links.
 * The server changes owners and modes and deletes files in these directories, so a link from an
 * untrusted backup would redirect such operations to any path. {@code gdata} is not checked: only
 * administrators write to it, and tasks only read it.
 */
public final class RealDirectories {
  static final List<String> CREATED_BY_SERVER =
      List.of(
          UserData.HOMES.directoryName(),
          UserData.SHARED.directoryName(),
          UserData.JOBS.directoryName(),
          "logs",
          UserData.STORAGES.directoryName(),
          UserData.STORAGES.directoryName() + "/" + UserData.USER_STORAGES,
          UserData.STORAGES.directoryName() + "/" + UserData.SHARED_STORAGES,
          "builds",
          "tasks",
          "bin",
          "layers",
          "mounts",
          "trash",
          "deleted",
          "docker",
          "docker/tasks",
          "docker/bin",
          "docker/mounts");

  private RealDirectories() {}

  /** Fails the start if one of the directories, or the home of a user, is a symbolic link. */
  public static void require(DataDirectory directory) {
    for (String name : CREATED_BY_SERVER) {
      requireNoLink(directory.resolve(name));
    }
    Path homes = directory.resolve(UserData.HOMES.directoryName());
    if (Files.isDirectory(homes)) {
      try (DirectoryStream<Path> userHomes = Files.newDirectoryStream(homes)) {
        userHomes.forEach(RealDirectories::requireNoLink);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void requireNoLink(Path path) {
    if (Files.isSymbolicLink(path)) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("config.data-link", "path", path.toString()));
    }
  }
}
