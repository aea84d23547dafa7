package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Finds the files that match the patterns of a Dockerfile. The amount of work is limited because
 * the author of the patterns also chooses the files.
 */
final class PatternMatches {
  /** Maximum number of comparisons, which take at most a few seconds. */
  private static final long MAX_STEPS = 100_000_000;

  /** Number of steps that are counted for each file. */
  private static final long STEPS_PER_FILE = 200;

  /** Maximum total length of the matching paths, which are written to the build script. */
  private static final long MAX_CHARACTERS = 4 << 20;

  private final ContextFiles files;
  private long remainingSteps = MAX_STEPS;
  private long remainingCharacters = MAX_CHARACTERS;

  PatternMatches(ContextFiles files) {
    this.files = files;
  }

  /**
   * Returns the sorted paths that match; empty if this call and the earlier calls together exceed
   * the limits.
   */
  Optional<List<String>> find(PathPattern pattern) {
    List<String> matchingPaths = new ArrayList<>();
    files.each(
        path -> {
          remainingSteps -= STEPS_PER_FILE;
          if (remainingSteps > 0 && pattern.matches(path, steps -> remainingSteps -= steps)) {
            remainingCharacters -= path.length();
            matchingPaths.add(path);
          }
          return isWithinLimits();
        });
    Collections.sort(matchingPaths);
    return isWithinLimits() ? Optional.of(matchingPaths) : Optional.empty();
  }

  private boolean isWithinLimits() {
    return remainingSteps > 0 && remainingCharacters > 0;
  }
}
