package dev.trainyard.engine;

import java.nio.file.Path;

/**
 * A directory of the host that is mounted in a task.
 *
 * @param target absolute path inside the task; untrusted if the user chose it
 */
public record Volume(Path source, String target, Access access) {
  /** The tasks that may write to the directory. */
  public enum Access {
    READ_ONLY,
    /** The directory belongs to the task's user; it is created on first use. */
    OWNED,
    /** Tasks of all users may write to the directory; it is created on first use. */
    SHARED
  }
}
