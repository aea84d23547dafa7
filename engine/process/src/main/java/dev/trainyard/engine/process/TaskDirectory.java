package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.InodeFallback;
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
 * The files of a task on disk: {@code tasks/<id>/}, accessible to the server's account only. After
 * a restart, the server has no other information about a task.
 *
 * <pre>
 * spec.json   the complete TaskSpec; the last file that a reservation creates
 * claim       created by the supervisor, or by the server to end the task before it starts
 * state       the progress of the task, line by line; see {@link TaskState}
 * stop        a link, created by a stop request, whose target text is the end of the grace period
 * out, err    FIFOs between the task and the logs
 * environment working directory and variables, if the supervisor starts the task without a shell
 * error       error output of the supervisor and of the tools that create the sandbox
 * platform/   mounted as /usr/local/pai
 * secrets     a mount point, like platform/secrets; its contents are never on a disk
 * layer*      the task's changes to the host's file systems
 * </pre>
 *
 * <p>The number of files is small, because creating and deleting a file writes several disk blocks.
 *
 * @param mountDirectory directory of the mount points that a task uses in its own mount namespace;
 *     all tasks use the same paths
 */
record TaskDirectory(TaskId id, Path path, Path mountDirectory) {
  /** Lock that serializes recording, because several threads may detect the loss of a task. */
  private static final Object RECORD_LOCK = new Object();

  /** Maximum number of bytes that are read of the state file, which normally has a few lines. */
  private static final int MAX_STATE_BYTES = 1 << 16;

  /**
   * The supervisor process, as recorded by itself.
   *
   * @param pid process ID in the server's PID namespace
   * @param stdoutCopier process ID of the copier of stdout, in the task's namespace
   */
  record Supervisor(int pid, long startTime, String bootId, int stdoutCopier, int stderrCopier) {
    /** Returns whether the supervisor copies the task's output itself. */
    boolean hasNoCopiers() {
      return stdoutCopier < 0 && stderrCopier < 0;
    }
  }

  /**
   * Returns the {@code /proc} of the task's PID namespace, as seen from the supervisor's mount
   * namespace. A supervisor that is not in the task's mount namespace has {@code /proc} open as
   * descriptor 8, or the task's root directory as descriptor 7.
   */
  Path procDirectory(Supervisor supervisor) {
    Path descriptors = Path.of("/proc", Integer.toString(supervisor.pid()), "fd");
    return Stream.of(descriptors.resolve("8"), descriptors.resolve("7/proc"))
        .filter(directory -> Files.isDirectory(directory.resolve("1")))
        .findFirst()
        .orElse(root().resolve("proc"));
  }

  Path root() {
    return mountDirectory.resolve("root");
  }

  /** Returns the mount point of the file system that becomes the root of the mount namespace. */
  Path namespaceRoot() {
    return mountDirectory.resolve("cell");
  }

  /** Returns the mount point of a part of a layer; all tasks use the same path. */
  Path layerMountPoint(String layer, String part) {
    return mountDirectory.resolve(layer).resolve(part);
  }

  Path platform() {
    return path.resolve("platform");
  }

  Path layerDirectory(String layer, String part) {
    return path.resolve(layer + "." + part);
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Claims the right to start or end the task; returns false if it is claimed already. */
  boolean claim() throws IOException {
    if (isClaimed()) {
      return false;
    }
    try {
      Path claim = file("claim");
      InodeFallback.createOrLink(() -> Files.createFile(claim), claim, file("spec.json"));
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
   * Records a stop request. If there are several, the earliest deadline applies.
   *
   * @param deadline end of the grace period in terms of {@link System#nanoTime}
   */
  void markStopped(long deadline) throws IOException {
    stopMark().set(deadline);
  }

  boolean isStopped() {
    return stopMark().isSet();
  }

  /** Returns the end of the grace period; empty if no stop was requested. */
  OptionalLong stopDeadline() throws IOException {
    return stopMark().deadline();
  }

  /**
   * Returns the path of a stop mark whose deadline has passed. If no inode is free, {@link
   * StopMark} creates {@code stop} as a hard link to this mark.
   */
  static Path expiredStop(Path data) {
    return data.resolve("expired-stop");
  }

  private StopMark stopMark() {
    return new StopMark(file("stop"), expiredStop(path.getParent().getParent()));
  }

  /**
   * Reads the recorded progress of the task.
   *
   * @throws NoSuchFileException if the task does not exist or is not completely created yet
   */
  TaskState state() throws IOException {
    try (InputStream in = Files.newInputStream(file("state"))) {
      return TaskState.parse(new String(in.readNBytes(MAX_STATE_BYTES), StandardCharsets.UTF_8));
    }
  }

  boolean hasEnded() throws IOException {
    return end().isPresent();
  }

  /** Returns the end of the task; empty while it has not ended. */
  Optional<EndRecord> end() throws IOException {
    try {
      return state().end();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Records the end of a task whose supervisor will not record one. Has no effect if an end is
   * recorded already.
   */
  void recordEnd(EndRecord record) throws IOException {
    synchronized (RECORD_LOCK) {
      if (!hasEnded()) {
        // The text begins with a line break, because a supervisor may have been killed while it
        // wrote a line.
        String line = "\n" + TaskState.END_PREFIX + record.text() + "\n";
        Files.writeString(file("state"), line, StandardOpenOption.APPEND);
      }
    }
  }

  /** Returns the supervisor; empty until it has recorded itself, which happens after the claim. */
  Optional<Supervisor> supervisor() throws IOException {
    try {
      return state().supervisor();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
