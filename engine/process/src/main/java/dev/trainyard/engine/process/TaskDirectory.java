package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.StopMark;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What of a task is on the disk: {@code tasks/<id>/}, for the server's account only. This is the
 * truth about a task; a server started anew knows no other.
 *
 * <pre>
 * spec.json   the whole TaskSpec; the last thing a reservation makes
 * claim       made by whoever decides how the task goes on: its supervisor, or a stop before that
 * state       how far it is, line by line; see {@link TaskState}
 * stop        made when somebody asked for the end: a link whose text says when the grace is over
 * out, err    fifos between the task and the logs
 * environment where a task starts and its variables, where its supervisor starts it without a shell
 * error       what the supervisor said, and the tools that make the sandbox
 * platform/   becomes /usr/local/pai
 * secrets     only a place to mount on, as platform/secrets: what is in it never is on a disk
 * layer*      the task's changes to the machine's file systems
 * </pre>
 *
 * <p>Files are few, as each costs several of the disk's blocks to make and to delete.
 *
 * @param mounts where the task's root is mounted, in its own namespace: the same place for all
 */
record TaskDirectory(TaskId id, Path path, Path mounts) {
  /** One record at a time: several threads may find the same loss. */
  private static final Object RECORDING = new Object();

  /** A few lines are expected. */
  private static final int MOST_STATE_BYTES = 1 << 16;

  /**
   * The supervisor as it wrote itself down.
   *
   * @param pid in the server's namespace
   * @param out the number of the copier of stdout, in the task's namespace
   */
  record Supervisor(int pid, long startTime, String bootId, int out, int err) {
    /** Whether it copies the task's output itself. */
    boolean hasNoCopiers() {
      return out < 0 && err < 0;
    }
  }

  /**
   * The {@code /proc} of the task's pid namespace, as seen from the supervisor's mount namespace. A
   * supervisor that is not in the task's mount namespace holds it open as 8, or the task's root
   * directory as 7.
   */
  Path processes(Supervisor supervisor) {
    Path held = Path.of("/proc", Integer.toString(supervisor.pid()), "fd");
    return Stream.of(held.resolve("8"), held.resolve("7/proc"))
        .filter(place -> Files.isDirectory(place.resolve("1")))
        .findFirst()
        .orElse(root().resolve("proc"));
  }

  Path root() {
    return mounts.resolve("root");
  }

  /** Mount point of the file system that becomes the root of the task's mount namespace. */
  Path cell() {
    return mounts.resolve("cell");
  }

  /** Where a part of a layer is mounted, the same for all too. */
  Path mounted(String layer, String part) {
    return mounts.resolve(layer).resolve(part);
  }

  Path platform() {
    return path.resolve("platform");
  }

  Path layer(String layer, String part) {
    return path.resolve(layer + "." + part);
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Decides how the task goes on; false if somebody else has decided. */
  boolean claim() throws IOException {
    if (isClaimed()) {
      return false;
    }
    try {
      Files.createFile(file("claim"));
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  boolean isClaimed() {
    return Files.exists(file("claim"));
  }

  boolean isReserved() {
    return Files.exists(file("spec.json"));
  }

  /**
   * Remembers that an end was asked for; the soonest deadline counts.
   *
   * @param deadline when the grace is over, by {@link System#nanoTime}
   */
  void markStopped(long deadline) throws IOException {
    stopMark().set(deadline);
  }

  boolean isStopped() {
    return stopMark().isSet();
  }

  /** Empty if nobody asked for an end. */
  OptionalLong stopDeadline() throws IOException {
    return stopMark().deadline();
  }

  private StopMark stopMark() {
    return new StopMark(file("stop"));
  }

  /**
   * @throws NoSuchFileException if there is no such task, or if it is not wholly made yet
   */
  TaskState state() throws IOException {
    try (InputStream in = Files.newInputStream(file("state"))) {
      return TaskState.parse(new String(in.readNBytes(MOST_STATE_BYTES), StandardCharsets.UTF_8));
    }
  }

  boolean hasEnded() throws IOException {
    return end().isPresent();
  }

  /** Empty until it has ended. */
  Optional<EndRecord> end() throws IOException {
    try {
      return state().end();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Writes an end that no supervisor will write any more. The first end stays. */
  void recordEnd(EndRecord record) throws IOException {
    synchronized (RECORDING) {
      if (!hasEnded()) {
        // Another line first: a supervisor may have been killed in the middle of one.
        String line = "\n" + TaskState.END + record.text() + "\n";
        Files.writeString(file("state"), line, StandardOpenOption.APPEND);
      }
    }
  }

  /** Empty until the supervisor has written its line, which it does after the claim. */
  Optional<Supervisor> supervisor() throws IOException {
    try {
      return state().supervisor();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
