package dev.trainyard.jobfile.dockerfile;

import java.util.Optional;
import java.util.function.Predicate;

/**
 * The files that a build can copy. Paths are relative to the build context and normalized; the
 * empty path is the context itself.
 */
public interface ContextFiles {
  /** Returns whether the path is a directory; empty if it does not exist. */
  Optional<Boolean> isDirectory(String path);

  /**
   * Visits all paths, in any order.
   *
   * @param visitor returns whether to continue
   */
  void each(Predicate<String> visitor);
}
