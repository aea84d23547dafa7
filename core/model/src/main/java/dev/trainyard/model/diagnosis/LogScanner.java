package dev.trainyard.model.diagnosis;

import dev.trainyard.model.diagnosis.LogPattern.Weight;
import dev.trainyard.model.diagnosis.TailLines.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the log line that best explains an end. Reads at most {@link LogTail#MOST} bytes of a
 * stream, once, and compares each line with a fixed number of fixed texts.
 *
 * <p>Order of precedence:
 *
 * <ol>
 *   <li>the last uncaught Python exception, if its kind is known;
 *   <li>the last line that is a root cause;
 *   <li>the last exception of another kind;
 *   <li>the last line that is a likely cause;
 *   <li>the last line that is at least a consequence.
 * </ol>
 */
final class LogScanner {
  static final String TRACEBACK = "Traceback (most recent call last)";

  private static final String TRACEBACK_IN_LOWER_CASE = "traceback (most recent call last)";
  private static final int CONTEXT = 3;
  private static final int LONGEST = 300;
  private static final int BEFORE = 100;

  private final LogTail tail;
  private final List<Line> lines;
  private final Weight least;

  private LogScanner(LogTail tail, Weight least) {
    this.tail = tail;
    this.lines = TailLines.of(tail);
    this.least = least;
  }

  /** A matching line: its index and the pattern. */
  private record Match(LogScanner log, int at, LogPattern pattern, boolean exception) {
    /** Returns the rank; a smaller one is a better explanation. */
    int rank() {
      boolean unknown = pattern.exit() == Exit.PYTHON_EXCEPTION;
      return switch (pattern.weight()) {
        case PLAIN -> exception ? 1 : 2;
        case LIKELY -> exception ? 1 : 4;
        case HINT -> exception && unknown ? 3 : 5;
      };
    }

    Diagnosis diagnosis() {
      return new Diagnosis(pattern.exit(), log.around(this));
    }
  }

  /**
   * @param tails the more informative first
   * @param least minimum weight; lines with less weight are ignored
   */
  static Optional<Diagnosis> scan(List<LogTail> tails, Weight least) {
    Optional<Match> best = Optional.empty();
    for (LogTail tail : tails) {
      Optional<Match> found = new LogScanner(tail, least).best();
      if (best.isEmpty() || (found.isPresent() && found.get().rank() < best.orElseThrow().rank())) {
        best = found;
      }
    }
    return best.map(Match::diagnosis);
  }

  private Optional<Match> best() {
    Optional<Match> best = Optional.empty();
    boolean traceback = false;
    for (int at = 0; at < lines.size(); at++) {
      Line line = lines.get(at);
      boolean exception = traceback && !line.isIndented();
      traceback = line.lower().contains(TRACEBACK_IN_LOWER_CASE) || (traceback && !exception);
      if (exception || !line.isWarning()) {
        Optional<Match> match = match(at, exception);
        if (match.isPresent()
            && (best.isEmpty() || match.get().rank() <= best.orElseThrow().rank())) {
          best = match;
        }
      }
    }
    return best;
  }

  private Optional<Match> match(int at, boolean exception) {
    for (LogPattern pattern : LogPatterns.ALL) {
      if (pattern.weight().compareTo(least) <= 0 && pattern.matches(lines.get(at).lower())) {
        return Optional.of(new Match(this, at, pattern, exception));
      }
    }
    return exception && least == Weight.HINT
        ? Optional.of(new Match(this, at, LogPattern.hint(Exit.PYTHON_EXCEPTION), true))
        : Optional.empty();
  }

  /** Returns the line, preceded by the location in the program. */
  private List<LogLine> around(Match match) {
    int from = match.at();
    while (from > 0 && match.at() - from < CONTEXT && lines.get(from - 1).isIndented()) {
      from--;
    }
    List<LogLine> found = new ArrayList<>();
    for (int at = from; at <= match.at(); at++) {
      Line line = lines.get(at);
      String piece = at < match.at() ? "" : match.pattern().first();
      found.add(new LogLine(tail.stream(), line.offset(), line.number(), shortened(line, piece)));
    }
    return found;
  }

  private static String shortened(Line line, String piece) {
    if (line.text().length() <= LONGEST) {
      return line.text();
    }
    int found = Math.max(0, line.lower().indexOf(piece) - BEFORE);
    int from = Math.min(found, line.text().length() - LONGEST);
    int to = from + LONGEST;
    // Not every database can store half a surrogate pair.
    from += Character.isLowSurrogate(line.text().charAt(from)) ? 1 : 0;
    to -= Character.isHighSurrogate(line.text().charAt(to - 1)) ? 1 : 0;
    return (from > 0 ? "…" : "")
        + line.text().substring(from, to)
        + (to < line.text().length() ? "…" : "");
  }
}
