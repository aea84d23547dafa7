package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the errors and warnings of one file. */
final class Problems {
  /**
   * Maximum number: otherwise the response to a file with only unknown fields would be many times
   * its size.
   */
  static final int LIMIT = 500;

  private final Findings errors = new Findings();
  private final Findings warnings = new Findings();

  void add(String path, Located.Place place, Message message) {
    errors.add(new Problem(path, message, place.line(), place.column()));
  }

  void add(String path, Located value, Message message) {
    add(path, value.place(), message);
  }

  void warn(String path, Located value, Message message) {
    Located.Place place = value.place();
    warnings.add(new Problem(path, message, place.line(), place.column()));
  }

  /** Returns whether further errors are only counted. */
  boolean isFull() {
    return errors.listed.size() >= LIMIT;
  }

  boolean any() {
    return !errors.listed.isEmpty();
  }

  /** Returns the errors in the order of their positions in the file. */
  List<Problem> errors() {
    return errors.sorted();
  }

  List<Problem> warnings() {
    return warnings.sorted();
  }

  private static final class Findings {
    private final List<Problem> listed = new ArrayList<>();
    private int unlisted;

    void add(Problem problem) {
      if (listed.size() < LIMIT) {
        listed.add(problem);
      } else {
        unlisted++;
      }
    }

    List<Problem> sorted() {
      List<Problem> all = new ArrayList<>(listed);
      all.sort(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column));
      if (unlisted > 0) {
        all.add(Problem.at("", Message.of("jobfile.more", "count", unlisted)));
      }
      return all;
    }
  }
}
