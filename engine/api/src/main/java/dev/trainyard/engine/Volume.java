package dev.trainyard.engine;

import java.nio.file.Path;

/**
 * A directory of the machine that a task sees.
 *
 * @param target absolute path inside the task, chosen by us or by the user (then not to be trusted)
 */
public record Volume(Path source, String target, Access access) {
  /** Whose it is. */
  public enum Access {
    READ_ONLY,
    /** Belongs to the task's user; made on first use. */
    OWNED,
    /** Every user's tasks may write; made on first use. */
    SHARED
  }
}
