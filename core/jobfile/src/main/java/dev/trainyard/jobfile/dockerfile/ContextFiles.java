package dev.trainyard.jobfile.dockerfile;

import java.util.Optional;
import java.util.function.Predicate;

/** The files that a build can copy from. Paths are clean; the directory itself is the empty one. */
public interface ContextFiles {
  /** Whether it is a directory; empty if there is nothing. */
  Optional<Boolean> isDirectory(String path);

  /**
   * Shows all paths, in any order.
   *
   * @param visitor says whether to go on
   */
  void each(Predicate<String> visitor);
}
