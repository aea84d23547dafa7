package dev.trainyard.engine.process;

import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What of a task is on the disk: {@code tasks/<id>/} and, once it ended, {@code ends/<id>}. This is
 * the truth about a task; a server started anew knows no other.
 *
 * <pre>
 * claim       made by whoever decides how the task goes on: its supervisor, or a stop before that
 * supervisor  pid, start time and boot id of the supervisor, in one line
 * stop        made when somebody asked for the end
 * out, err    fifos between the task and the logs
 * code        "started", then the exit code, by the task's own first process
 * error       what the tools said that make the sandbox
 * platform/   becomes /usr/local/pai
 * layers/     the task's changes to the machine's file systems
 * </pre>
 */
record TaskDirectory(TaskId id, Path path, Path end, Path mounts) {
  /** The supervisor as it wrote itself down. */
  record Supervisor(long pid, long startTime, String bootId) {}

  /** Where the task's root is mounted: the same place for all, as each has its own mounts. */
  Path root() {
    return mounts.resolve("root");
  }

  /** Where a part of a layer is mounted, the same for all too. */
  Path mounted(String layer, String part) {
    return mounts.resolve(layer).resolve(part);
  }

  Path platform() {
    return path.resolve("platform");
  }

  Path layer(String layer, String part) {
    return path.resolve("layers").resolve(layer).resolve(part);
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Decides how the task goes on; false if somebody else has decided. */
  boolean claim() throws IOException {
    try {
      Files.createFile(file("claim"));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  boolean isClaimed() {
    return Files.exists(file("claim"), LinkOption.NOFOLLOW_LINKS);
  }

  boolean hasEnded() {
    return Files.exists(end, LinkOption.NOFOLLOW_LINKS);
  }

  void markStopped() throws IOException {
    try {
      Files.createFile(file("stop"));
    } catch (FileAlreadyExistsException e) {
      // asked before
    }
  }

  boolean isStopped() {
    return Files.exists(file("stop"), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Writes an end that no supervisor will write. The first end stays. Several threads may find the
   * same loss at once: each has a draft of its own, and only one link can be made.
   */
  void recordEnd(EndRecord record) throws IOException {
    if (hasEnded()) {
      return;
    }
    Path draft = Files.createTempFile(path, "end", ".draft");
    Files.writeString(draft, record.text());
    try {
      Files.createLink(end, draft);
    } catch (FileAlreadyExistsException e) {
      // somebody else was first, with the same news
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  /** Empty until the supervisor has written its line, which it does after the claim. */
  Optional<Supervisor> supervisor() throws IOException {
    String line;
    try {
      line = Files.readString(file("supervisor"));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    if (!line.endsWith("\n")) {
      return Optional.empty();
    }
    String[] words = line.strip().split(" ", -1);
    return Optional.of(
        new Supervisor(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]));
  }
}
