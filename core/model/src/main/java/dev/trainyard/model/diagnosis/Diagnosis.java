package dev.trainyard.model.diagnosis;

import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.TaskEnd;
import java.util.List;

/**
 * What is believed about an end.
 *
 * @param exit what kind of end it was
 * @param lines of the log that say so, in their order; none where reason and exit code had to do
 */
public record Diagnosis(Exit exit, List<LogLine> lines) {
  public Diagnosis {
    lines = List.copyOf(lines);
  }

  /**
   * Puts together what the platform knows and what the log says.
   *
   * @param tails of the task's streams, the more telling first
   */
  public static Diagnosis of(TaskEnd end, List<LogTail> tails) {
    return ExitTable.leastWeight(end)
        .flatMap(weight -> LogScanner.scan(tails, weight))
        .orElseGet(() -> of(end));
  }

  /** What the end tells by itself. */
  public static Diagnosis of(TaskEnd end) {
    return new Diagnosis(ExitTable.of(end), List.of());
  }

  /** Whether the log of an end is worth reading. */
  public static boolean needsLog(TaskEnd end) {
    return ExitTable.leastWeight(end).isPresent();
  }

  public RetryBehavior reaction() {
    return exit.reaction();
  }

  /** Whether it rests on a log, in which a user may write whatever pleases. */
  public boolean restsOnLog() {
    return !lines.isEmpty();
  }
}
