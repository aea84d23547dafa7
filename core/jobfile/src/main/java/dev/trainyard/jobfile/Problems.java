package dev.trainyard.jobfile;

import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong with one file and what its submitter should know. */
final class Problems {
  /** A file of nothing but unknown fields would else make an answer many times its own size. */
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

  /** Whether more errors are only counted. */
  boolean isFull() {
    return errors.listed.size() >= LIMIT;
  }

  boolean any() {
    return !errors.listed.isEmpty();
  }

  /** In the order in which they stand in the file. */
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
