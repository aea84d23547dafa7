package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the errors and warnings of one file. */
final class Problems {
  /**
   * Maximum number of errors and of warnings. Without this limit, the response for a file with only
   * unknown fields would be many times the size of the file.
   */
  static final int MAX_PROBLEMS = 500;

  private final ProblemList errors = new ProblemList();
  private final ProblemList warnings = new ProblemList();

  void add(String path, DocumentValue.Position position, Message message) {
    errors.add(new Problem(path, message, position.line(), position.column()));
  }

  void add(String path, DocumentValue value, Message message) {
    add(path, value.position(), message);
  }

  void warn(String path, DocumentValue value, Message message) {
    DocumentValue.Position position = value.position();
    warnings.add(new Problem(path, message, position.line(), position.column()));
  }

  /** Returns whether further errors are only counted. */
  boolean isFull() {
    return errors.problems.size() >= MAX_PROBLEMS;
  }

  boolean hasErrors() {
    return !errors.problems.isEmpty();
  }

  /** Returns the errors in the order of their positions in the file. */
  List<Problem> errors() {
    return errors.sorted();
  }

  List<Problem> warnings() {
    return warnings.sorted();
  }

  private static final class ProblemList {
    private final List<Problem> problems = new ArrayList<>();
    private int omittedCount;

    void add(Problem problem) {
      if (problems.size() < MAX_PROBLEMS) {
        problems.add(problem);
      } else {
        omittedCount++;
      }
    }

    List<Problem> sorted() {
      List<Problem> sortedProblems = new ArrayList<>(problems);
      sortedProblems.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
      if (omittedCount > 0) {
        sortedProblems.add(Problem.at("", Message.of("jobfile.more", "count", omittedCount)));
      }
      return sortedProblems;
    }
  }
}
