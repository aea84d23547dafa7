package dev.trainyard.engine.docker;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * The directory for tasks' secrets while the tasks run: in memory, accessible to the server's
 * account only. A container sees only its own subdirectory, read-only.
 */
final class SecretDirectory {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path place;

  SecretDirectory(String server) throws IOException {
    place =
        MEMORY.resolve(
            "trainyard-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid") + "-" + server);
    createOwn();
  }

  /**
   * Creates the directory. Other accounts can write to its parent, so an existing entry must be a
   * directory of this account.
   */
  private void createOwn() throws IOException {
    if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      Linux.makeDirectory(Linux.AT_FDCWD, place.toString(), 0700);
    }
    Object owner = Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (!owner.equals(own)) {
      throw new IOException(place + " belongs to another user");
    }
    Linux.changeMode(place.toString(), 0700);
  }

  Path of(TaskId task) {
    return place.resolve(task.toString());
  }

  /**
   * Creates the empty directory of a task, which is mounted in the container before there are
   * secrets.
   */
  void make(TaskId task) throws IOException {
    createOwn();
    Path own = of(task);
    if (!Files.exists(own)) {
      Files.createDirectory(own);
      // Readable for all users in the container, because the image chooses its user.
      Linux.changeMode(own.toString(), 0755);
    }
  }

  void fill(TaskId task, SecretFiles secrets) throws IOException {
    make(task);
    for (var file : secrets.texts().entrySet()) {
      Path path = of(task).resolve(file.getKey());
      Files.writeString(path, file.getValue());
      Linux.changeMode(path.toString(), 0444);
    }
  }

  /** Deletes the secrets but not the directory. */
  void empty(TaskId task) throws IOException {
    Path own = of(task);
    if (Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
      try (var files = Files.newDirectoryStream(own)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }
  }

  void remove(TaskId task) throws IOException {
    TreeDeleter.delete(of(task));
  }

  /** Returns the IDs of the tasks that have a directory here. */
  List<String> tasks() throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (var all = Files.list(place)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** Deletes the whole directory if no task uses it. */
  void removeIfEmpty() throws IOException {
    if (tasks().isEmpty()) {
      Files.deleteIfExists(place);
    }
  }
}
