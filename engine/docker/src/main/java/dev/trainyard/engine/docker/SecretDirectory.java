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
  private static final Path MEMORY_FILE_SYSTEM = Path.of("/dev/shm");

  private final Path directory;

  SecretDirectory(String server) throws IOException {
    directory =
        MEMORY_FILE_SYSTEM.resolve(
            "trainyard-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid") + "-" + server);
    createDirectory();
  }

  /**
   * Creates the directory. Other accounts can write to its parent, so an existing entry must be a
   * directory of this account.
   */
  private void createDirectory() throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      Linux.makeDirectory(Linux.AT_FDCWD, directory.toString(), 0700);
    }
    Object owner = Files.getAttribute(directory, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object account = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (!owner.equals(account)) {
      throw new IOException(directory + " belongs to another user");
    }
    Linux.changeMode(directory.toString(), 0700);
  }

  Path taskDirectory(TaskId task) {
    return directory.resolve(task.toString());
  }

  /**
   * Creates the empty directory of a task, which is mounted in the container before the secrets are
   * known.
   */
  void create(TaskId task) throws IOException {
    createDirectory();
    Path taskDirectory = taskDirectory(task);
    if (!Files.exists(taskDirectory)) {
      Files.createDirectory(taskDirectory);
      // All users in the container can read the directory, because the image chooses the user.
      Linux.changeMode(taskDirectory.toString(), 0755);
    }
  }

  void write(TaskId task, SecretFiles secrets) throws IOException {
    create(task);
    for (var file : secrets.texts().entrySet()) {
      Path path = taskDirectory(task).resolve(file.getKey());
      Files.writeString(path, file.getValue());
      Linux.changeMode(path.toString(), 0444);
    }
  }

  /** Deletes the secrets of a task but not its directory. */
  void deleteSecrets(TaskId task) throws IOException {
    Path taskDirectory = taskDirectory(task);
    if (Files.isDirectory(taskDirectory, LinkOption.NOFOLLOW_LINKS)) {
      try (var files = Files.newDirectoryStream(taskDirectory)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
    }
  }

  void remove(TaskId task) throws IOException {
    TreeDeleter.delete(taskDirectory(task));
  }

  /** Returns the IDs of the tasks that have a directory here. */
  List<String> taskIds() throws IOException {
    if (!Files.exists(directory)) {
      return List.of();
    }
    try (var entries = Files.list(directory)) {
      return entries.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** Deletes the whole directory if no task uses it. */
  void removeIfEmpty() throws IOException {
    if (taskIds().isEmpty()) {
      Files.deleteIfExists(directory);
    }
  }
}
