package dev.trainyard.jobfile.dockerfile;

import java.util.List;
import java.util.Optional;

/** The files that a build can copy from. Paths are clean; the directory itself is the empty one. */
public interface ContextFiles {
  /** Whether it is a directory; empty if there is nothing. */
  Optional<Boolean> isDirectory(String path);

  /** All paths that match, in their order. */
  List<String> matching(PathPattern pattern);
}
