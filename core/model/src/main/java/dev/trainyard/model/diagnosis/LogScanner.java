package dev.trainyard.model.diagnosis;

import dev.trainyard.model.diagnosis.LogPattern.Confidence;
import dev.trainyard.model.diagnosis.TailLines.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the log line that best explains an end. Reads at most {@link LogTail#MAX_BYTES} bytes of a
 * stream once and compares each line with a fixed number of texts.
 *
 * <p>Order of precedence:
 *
 * <ol>
 *   <li>the last line of an uncaught Python exception, if its kind is known;
 *   <li>the last line that indicates a root cause;
 *   <li>the last line of an uncaught Python exception of another kind;
 *   <li>the last line that indicates a likely cause;
 *   <li>the last line that indicates a consequence of another error.
 * </ol>
 */
final class LogScanner {
  static final String TRACEBACK = "Traceback (most recent call last)";

  private static final String TRACEBACK_IN_LOWER_CASE = "traceback (most recent call last)";
  private static final int MAX_CONTEXT_LINES = 3;
  private static final int MAX_LINE_LENGTH = 300;
  private static final int LENGTH_BEFORE_MATCH = 100;

  private final LogTail tail;
  private final List<Line> lines;
  private final Confidence minConfidence;

  private LogScanner(LogTail tail, Confidence minConfidence) {
    this.tail = tail;
    this.lines = TailLines.of(tail);
    this.minConfidence = minConfidence;
  }

  /** A line that matches a pattern. */
  private record Match(LogScanner log, int lineIndex, LogPattern pattern, boolean isException) {
    /** Returns the rank; a smaller rank means a better explanation. */
    int rank() {
      boolean isUnknownKind = pattern.exit() == Exit.PYTHON_EXCEPTION;
      return switch (pattern.confidence()) {
        case ROOT_CAUSE -> isException ? 1 : 2;
        case LIKELY -> isException ? 1 : 4;
        case HINT -> isException && isUnknownKind ? 3 : 5;
      };
    }

    Diagnosis diagnosis() {
      return new Diagnosis(pattern.exit(), log.excerpt(this));
    }
  }

  /**
   * @param tails the last bytes of the streams; the more informative stream first
   * @param minConfidence minimum confidence; lines with less confidence are ignored
   */
  static Optional<Diagnosis> scan(List<LogTail> tails, Confidence minConfidence) {
    Optional<Match> best = Optional.empty();
    for (LogTail tail : tails) {
      Optional<Match> match = new LogScanner(tail, minConfidence).findBest();
      if (best.isEmpty() || (match.isPresent() && match.get().rank() < best.orElseThrow().rank())) {
        best = match;
      }
    }
    return best.map(Match::diagnosis);
  }

  private Optional<Match> findBest() {
    Optional<Match> best = Optional.empty();
    boolean inTraceback = false;
    for (int index = 0; index < lines.size(); index++) {
      Line line = lines.get(index);
      boolean isException = inTraceback && !line.isIndented();
      inTraceback = line.lower().contains(TRACEBACK_IN_LOWER_CASE) || (inTraceback && !isException);
      if (isException || !line.isWarning()) {
        Optional<Match> match = match(index, isException);
        if (match.isPresent()
            && (best.isEmpty() || match.get().rank() <= best.orElseThrow().rank())) {
          best = match;
        }
      }
    }
    return best;
  }

  private Optional<Match> match(int index, boolean isException) {
    for (LogPattern pattern : LogPatterns.ALL) {
      if (pattern.confidence().compareTo(minConfidence) <= 0
          && pattern.matches(lines.get(index).lower())) {
        return Optional.of(new Match(this, index, pattern, isException));
      }
    }
    return isException && minConfidence == Confidence.HINT
        ? Optional.of(new Match(this, index, LogPattern.hint(Exit.PYTHON_EXCEPTION), true))
        : Optional.empty();
  }

  /**
   * Returns the matching line and the indented lines before it, which contain the location in the
   * program.
   */
  private List<LogLine> excerpt(Match match) {
    int firstIndex = match.lineIndex();
    while (firstIndex > 0
        && match.lineIndex() - firstIndex < MAX_CONTEXT_LINES
        && lines.get(firstIndex - 1).isIndented()) {
      firstIndex--;
    }
    List<LogLine> excerptLines = new ArrayList<>();
    for (int index = firstIndex; index <= match.lineIndex(); index++) {
      Line line = lines.get(index);
      String matchedText = index < match.lineIndex() ? "" : match.pattern().firstText();
      excerptLines.add(
          new LogLine(tail.stream(), line.offset(), line.number(), shorten(line, matchedText)));
    }
    return excerptLines;
  }

  private static String shorten(Line line, String matchedText) {
    if (line.text().length() <= MAX_LINE_LENGTH) {
      return line.text();
    }
    int textStart = Math.max(0, line.lower().indexOf(matchedText) - LENGTH_BEFORE_MATCH);
    int from = Math.min(textStart, line.text().length() - MAX_LINE_LENGTH);
    int to = from + MAX_LINE_LENGTH;
    // Not every database can store half a surrogate pair.
    from += Character.isLowSurrogate(line.text().charAt(from)) ? 1 : 0;
    to -= Character.isHighSurrogate(line.text().charAt(to - 1)) ? 1 : 0;
    return (from > 0 ? "…" : "")
        + line.text().substring(from, to)
        + (to < line.text().length() ? "…" : "");
  }
}
