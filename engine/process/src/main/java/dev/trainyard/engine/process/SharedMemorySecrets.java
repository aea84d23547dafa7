package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets of tasks that have no mount namespace: directories in the host's shared memory that only
 * the server's account can read. The supervisor deletes a task's directory when the task ends; if
 * the supervisor is killed, the server deletes the directory.
 *
 * @param directory the directory for all tasks of this server
 */
record SharedMemorySecrets(Path directory) {
  private static final Logger LOG = LoggerFactory.getLogger(SharedMemorySecrets.class);
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  static SharedMemorySecrets of(Path data) {
    String name = "trainyard-" + Scripts.hash(data.toString()).substring(0, 16);
    return new SharedMemorySecrets(Path.of("/dev/shm", name));
  }

  Path directoryOf(TaskId task) {
    return directory.resolve(task.toString());
  }

  void write(TaskId task, SecretFiles secrets) throws IOException {
    createDirectory();
    delete(task);
    Path taskDirectory = Files.createDirectory(directoryOf(task), PRIVATE_DIRECTORY);
    for (var file : secrets.contents().entrySet()) {
      Path path = Files.createFile(taskDirectory.resolve(file.getKey()), PRIVATE_FILE);
      Files.writeString(path, file.getValue(), StandardOpenOption.WRITE);
    }
  }

  /**
   * Creates the directory for all tasks. Any account can create directories in {@code /dev/shm}, so
   * a directory that another account created is rejected.
   */
  private void createDirectory() throws IOException {
    try {
      Files.createDirectory(directory, PRIVATE_DIRECTORY);
    } catch (FileAlreadyExistsException e) {
      checkOwner();
    }
  }

  private void checkOwner() throws IOException {
    var attributes = Files.readAttributes(directory, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int privateDirectoryMode = 0040700;
    if (!attributes.get("uid").equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
        || (Integer) attributes.get("mode") != privateDirectoryMode) {
      throw new IOException(directory + " does not belong to this server");
    }
  }

  void delete(TaskId task) {
    delete(directoryOf(task));
  }

  /**
   * Deletes the secrets of all tasks that cannot be running, and all files that no server created,
   * because a task without a sandbox can write to this directory.
   */
  void deleteAllExcept(Predicate<TaskId> mayRun) {
    try {
      checkOwner(); // another account may have created a link to other files
      try (var entries = Files.newDirectoryStream(directory)) {
        for (Path entry : entries) {
          if (!matchesTask(entry, mayRun)) {
            delete(entry);
          }
        }
      }
    } catch (NoSuchFileException e) {
      // No task has secrets.
    } catch (IOException | DirectoryIteratorException e) {
      LOG.warn("failed to read {}", directory, e);
    }
  }

  private static boolean matchesTask(Path entry, Predicate<TaskId> tasks) {
    try {
      return tasks.test(TaskId.parse(entry.getFileName().toString()));
    } catch (IllegalArgumentException e) {
      return false; // the name is not a task ID
    }
  }

  private static void delete(Path directory) {
    try {
      if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        Trash.deleteTree(directory);
      }
    } catch (IOException e) {
      LOG.warn("failed to delete {}", directory, e);
    }
  }
}
