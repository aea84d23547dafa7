package dev.trainyard.engine;

import java.nio.file.Path;

/**
 * A directory of the host that is mounted in a task.
 *
 * @param target absolute path inside the task, chosen by the platform or by the user (then
 *     untrusted)
 */
public record Volume(Path source, String target, Access access) {
  /** The tasks that may write to the directory. */
  public enum Access {
    READ_ONLY,
    /** Belongs to the task's user; created on first use. */
    OWNED,
    /** Tasks of all users may write to it; created on first use. */
    SHARED
  }
}
