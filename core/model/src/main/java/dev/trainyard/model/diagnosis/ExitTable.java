package dev.trainyard.model.diagnosis;

import dev.trainyard.model.TaskEnd;
import java.util.List;
import java.util.Optional;

/**
 * Classifies an end by its reason and exit code, without the log. Facts that the engine knows for
 * certain take precedence, because the user's program can exit with any code.
 */
public final class ExitTable {
  /** Code of the message of a task whose image registry is unreachable. */
  public static final String REGISTRY_UNREACHABLE = "error.image-unreachable";

  private static final int SIGNAL_BASE = 128;
  private static final int MAX_SIGNAL = 64;

  /**
   * Exit codes of a user's command that have the same meaning for all programs. All other codes
   * have no specific meaning.
   */
  public static final List<Range> CODES =
      List.of(
          new Range(2, 2, Exit.WRONG_USAGE),
          new Range(126, 126, Exit.NOT_EXECUTABLE),
          new Range(127, 127, Exit.COMMAND_NOT_FOUND),
          new Range(128, 128, Exit.INVALID_EXIT),
          new Range(130, 130, Exit.SIGNAL_INTERRUPT),
          new Range(131, 131, Exit.SIGNAL_QUIT),
          new Range(132, 132, Exit.SIGNAL_ILLEGAL_INSTRUCTION),
          new Range(134, 134, Exit.SIGNAL_ABORT),
          new Range(135, 135, Exit.SIGNAL_BUS),
          new Range(136, 136, Exit.SIGNAL_ARITHMETIC),
          new Range(137, 137, Exit.SIGNAL_KILL),
          new Range(139, 139, Exit.SEGMENTATION_FAULT),
          new Range(141, 141, Exit.SIGNAL_PIPE),
          new Range(143, 143, Exit.SIGNAL_TERMINATE),
          new Range(SIGNAL_BASE + 1, SIGNAL_BASE + MAX_SIGNAL, Exit.OTHER_SIGNAL));

  private ExitTable() {}

  /** A range of codes, both ends included; the first range that contains a code applies. */
  public record Range(int from, int to, Exit exit) {
    boolean contains(int code) {
      return from <= code && code <= to;
    }
  }

  /**
   * Returns the exit codes of a user's command that indicate this kind of end; empty if no exit
   * code alone indicates it.
   */
  public static List<Range> codes(Exit exit) {
    return switch (exit) {
      case SUCCEEDED -> List.of(new Range(0, 0, exit));
      default -> CODES.stream().filter(range -> range.exit() == exit).toList();
    };
  }

  /**
   * Returns the kind of end that an exit code of a user's command indicates if nothing else is
   * known.
   */
  public static Exit of(int code) {
    return code == 0 ? Exit.SUCCEEDED : ofCode(code);
  }

  public static Exit of(TaskEnd end) {
    return switch (end.reason()) {
      case SUCCEEDED -> Exit.SUCCEEDED;
      case STOPPED -> Exit.STOPPED;
      case OUT_OF_MEMORY -> Exit.OUT_OF_MEMORY;
      case DISK_FULL -> Exit.DISK_FULL;
      case START_REFUSED -> Exit.START_REFUSED;
      case START_FAILED ->
          end.message().filter(it -> it.code().equals(REGISTRY_UNREACHABLE)).isPresent()
              ? Exit.REGISTRY_UNREACHABLE
              : Exit.START_FAILED;
      case SUPERVISOR_LOST -> Exit.TASK_LOST;
      case NODE_LOST -> Exit.NODE_LOST;
      case COMMAND_FAILED, KILLED_BY_SIGNAL -> ofCode(end.exitCode());
    };
  }

  private static Exit ofCode(int code) {
    return CODES.stream()
        .filter(range -> range.contains(code))
        .findFirst()
        .map(Range::exit)
        .orElse(Exit.COMMAND_FAILED);
  }

  /**
   * Returns the minimum confidence with which a log line overrides the exit code; empty if the
   * platform knows the cause for certain. A program that was killed may have logged unrelated
   * errors before.
   */
  static Optional<LogPattern.Confidence> minConfidence(TaskEnd end) {
    return switch (of(end)) {
      case COMMAND_FAILED, WRONG_USAGE, INVALID_EXIT, SIGNAL_ABORT ->
          Optional.of(LogPattern.Confidence.HINT);
      case COMMAND_NOT_FOUND, NOT_EXECUTABLE -> Optional.of(LogPattern.Confidence.LIKELY);
      case SIGNAL_KILL,
          SIGNAL_BUS,
          SEGMENTATION_FAULT,
          SIGNAL_ILLEGAL_INSTRUCTION,
          SIGNAL_ARITHMETIC,
          OTHER_SIGNAL ->
          Optional.of(LogPattern.Confidence.ROOT_CAUSE);
      default -> Optional.empty();
    };
  }
}
