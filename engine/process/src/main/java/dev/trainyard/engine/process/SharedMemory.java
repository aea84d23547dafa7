package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Secrets of tasks that have no mount namespace: directories in the host's shared memory that only
 * the server's account can read. The supervisor deletes a task's directory at its end; if the
 * supervisor is killed, the server deletes it.
 *
 * @param place the directory for all tasks of this server
 */
record SharedMemory(Path place) {
  private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  static SharedMemory of(Path data) {
    String name = "trainyard-" + Scripts.hash(data.toString()).substring(0, 16);
    return new SharedMemory(Path.of("/dev/shm", name));
  }

  Path of(TaskId task) {
    return place.resolve(task.toString());
  }

  void put(TaskId task, SecretFiles secrets) throws IOException {
    makeOwn();
    forget(task);
    Path directory = Files.createDirectory(of(task), PRIVATE);
    for (var file : secrets.texts().entrySet()) {
      Path path = Files.createFile(directory.resolve(file.getKey()), PRIVATE_FILE);
      Files.writeString(path, file.getValue(), StandardOpenOption.WRITE);
    }
  }

  /**
   * Creates the directory. Any account can create directories there, so one that another account
   * created is rejected.
   */
  private void makeOwn() throws IOException {
    try {
      Files.createDirectory(place, PRIVATE);
    } catch (FileAlreadyExistsException e) {
      checkOwn();
    }
  }

  private void checkOwn() throws IOException {
    var found = Files.readAttributes(place, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int directory = 0040700;
    if (!found.get("uid").equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
        || (Integer) found.get("mode") != directory) {
      throw new IOException(place + " does not belong to this server");
    }
  }

  void forget(TaskId task) {
    delete(of(task));
  }

  /**
   * Also deletes files that no server created, because a task without a sandbox can write there.
   */
  void forgetAllBut(Predicate<TaskId> runs) {
    List<Path> found;
    try {
      checkOwn(); // it may be a link of another account to valuable files
      try (var all = Files.list(place)) {
        found = all.toList();
      }
    } catch (NoSuchFileException e) {
      return;
    } catch (IOException e) {
      LOG.warn("failed to read {}", place, e);
      return;
    }
    for (Path directory : found) {
      if (!isOf(directory, runs)) {
        delete(directory);
      }
    }
  }

  private static boolean isOf(Path directory, Predicate<TaskId> tasks) {
    try {
      return tasks.test(TaskId.parse(directory.getFileName().toString()));
    } catch (IllegalArgumentException e) {
      return false; // not a task
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
