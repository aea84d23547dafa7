package dev.trainyard.model.diagnosis;

import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.TaskEnd;
import java.util.List;

/**
 * The presumed cause of an end.
 *
 * @param exit kind of the end
 * @param lines log lines that indicate the cause, in their order; empty if the diagnosis is based
 *     on the reason and the exit code only
 */
public record Diagnosis(Exit exit, List<LogLine> lines) {
  public Diagnosis {
    lines = List.copyOf(lines);
  }

  /**
   * Determines the cause from the reason, the exit code and the content of the log.
   *
   * @param tails the last bytes of the task's streams; the more informative stream first
   */
  public static Diagnosis of(TaskEnd end, List<LogTail> tails) {
    return ExitTable.minConfidence(end)
        .flatMap(confidence -> LogScanner.scan(tails, confidence))
        .orElseGet(() -> of(end));
  }

  /** Returns the diagnosis that follows from the end without a log. */
  public static Diagnosis of(TaskEnd end) {
    return new Diagnosis(ExitTable.of(end), List.of());
  }

  /** Returns whether the log can add to the diagnosis of an end. */
  public static boolean needsLog(TaskEnd end) {
    return ExitTable.minConfidence(end).isPresent();
  }

  public RetryBehavior reaction() {
    return exit.reaction();
  }

  /** Returns whether the diagnosis is based on a log, whose content the user controls. */
  public boolean restsOnLog() {
    return !lines.isEmpty();
  }
}
