package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Looks for what the patterns of a Dockerfile match. Whoever writes the patterns also chooses the
 * files, and how much both are together must not be theirs to choose.
 */
final class PatternMatches {
  /** Some seconds at most. */
  private static final long MOST_STEPS = 1_000_000_000;

  /** What it costs to come to a file at all. */
  private static final long STEPS_OF_A_FILE = 200;

  /** All paths that are found go into the script of the build. */
  private static final long MOST_CHARACTERS = 4 << 20;

  private final ContextFiles files;
  private long stepsLeft = MOST_STEPS;
  private long charactersLeft = MOST_CHARACTERS;

  PatternMatches(ContextFiles files) {
    this.files = files;
  }

  /** In their order; empty if that is too much together with what was looked for before. */
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
