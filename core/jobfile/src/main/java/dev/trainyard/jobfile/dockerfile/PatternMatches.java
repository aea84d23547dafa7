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
  /** A few seconds at most. */
  private static final long MOST_STEPS = 1_000_000_000;

  /** Cost of reaching a file at all. */
  private static final long STEPS_OF_A_FILE = 200;

  /** All matching paths are written to the script of the build. */
  private static final long MOST_CHARACTERS = 4 << 20;

  private final ContextFiles files;
  private long stepsLeft = MOST_STEPS;
  private long charactersLeft = MOST_CHARACTERS;

  PatternMatches(ContextFiles files) {
    this.files = files;
  }

  /**
   * Returns the matches in their order; empty if the work, together with earlier calls, exceeds the
   * limits.
   */
  Optional<List<String>> find(PathPattern pattern) {
    List<String> found = new ArrayList<>();
    files.each(
        path -> {
          stepsLeft -= STEPS_OF_A_FILE;
          if (stepsLeft > 0 && pattern.matches(path, steps -> stepsLeft -= steps)) {
            charactersLeft -= path.length();
            found.add(path);
          }
          return isWithin();
        });
    Collections.sort(found);
    return isWithin() ? Optional.of(found) : Optional.empty();
  }

  private boolean isWithin() {
    return stepsLeft > 0 && charactersLeft > 0;
  }
}
