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
 * Where tasks' secrets are while they run: in memory, in a directory that only the server's account
 * can enter. A container sees its own part of it, and nothing can be written there.
 */
final class SecretDirectory {
  private static final Path MEMORY = Path.of("/dev/shm");

  private final Path place;

  SecretDirectory(String server) throws IOException {
    place =
        MEMORY.resolve(
            "trainyard-" + Files.getAttribute(Path.of("/proc/self"), "unix:uid") + "-" + server);
    make();
  }

  /** Others can write to the directory above: what is there must be ours and a directory. */
  private void make() throws IOException {
    if (!Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
      Linux.makeDirectory(Linux.AT_FDCWD, place.toString(), 0700);
    }
    Object owner = Files.getAttribute(place, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    Object own = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    if (!owner.equals(own)) {
      throw new IOException(place + " belongs to somebody else");
    }
    Linux.changeMode(place.toString(), 0700);
  }

  Path of(TaskId task) {
    return place.resolve(task.toString());
  }

  /** The place alone, which the container is bound to before there are secrets. */
  void make(TaskId task) throws IOException {
    make();
    Path own = of(task);
    if (!Files.exists(own)) {
      Files.createDirectory(own);
      // Everybody in the container may read: the image's own user is one it chose.
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

  /** Takes the secrets away and leaves the place. */
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

  /** Names of tasks that have a place here. */
  List<String> tasks() throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (var all = Files.list(place)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  /** Gone too, if no task has anything in it. */
  void removeIfEmpty() throws IOException {
    if (tasks().isEmpty()) {
      Files.deleteIfExists(place);
    }
  }
}
