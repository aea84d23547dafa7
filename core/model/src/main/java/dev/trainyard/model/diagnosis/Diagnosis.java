package dev.trainyard.model.diagnosis;

import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.TaskEnd;
import java.util.List;

/**
 * The presumed cause of an end.
 *
 * @param exit kind of the end
 * @param lines log lines that indicate it, in their order; empty if it is based on the reason and
 *     exit code only
 */
public record Diagnosis(Exit exit, List<LogLine> lines) {
  public Diagnosis {
    lines = List.copyOf(lines);
  }

  /**
   * Combines the knowledge of the platform with the content of the log.
   *
   * @param tails of the task's streams, the more informative first
   */
  public static Diagnosis of(TaskEnd end, List<LogTail> tails) {
    return ExitTable.leastWeight(end)
        .flatMap(weight -> LogScanner.scan(tails, weight))
        .orElseGet(() -> of(end));
  }

  /** Returns the diagnosis that follows from the end without a log. */
  public static Diagnosis of(TaskEnd end) {
    return new Diagnosis(ExitTable.of(end), List.of());
  }

  /** Returns whether the log can add to the diagnosis of an end. */
  public static boolean needsLog(TaskEnd end) {
    return ExitTable.leastWeight(end).isPresent();
  }

  public RetryBehavior reaction() {
    return exit.reaction();
  }

  /** Returns whether it is based on a log, whose content the user controls. */
  public boolean restsOnLog() {
    return !lines.isEmpty();
  }
}
