package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * A pattern for relative paths, as in COPY and {@code .dockerignore}: {@code *} and {@code ?}
 * within a name, {@code [a-z]}, and {@code **} for any directories. It is not translated to a
 * regular expression, because the author of the pattern also chooses the names of the files, and
 * backtracking over many stars would take too long. This implementation compares each character of
 * a path once with each part.
 */
public final class PathPattern {
  private enum Kind {
    /** Matches one character. */
    ONE,
    /** Matches any number of characters. */
    MANY,
    /** Can be skipped together with the following part. */
    OPTIONAL,
    /** Matches everything up to any slash. */
    DIRECTORIES
  }

  private record Part(Kind kind, IntPredicate accepts) {}

  private final Part[] parts;

  private PathPattern(List<Part> parts) {
    this.parts = parts.toArray(Part[]::new);
  }

  /** Normalizes a path: removes redundant slashes and the names {@code .}. */
  public static String clean(String path) {
    List<String> names =
        Arrays.stream(path.split("/"))
            .filter(name -> !name.isEmpty() && !name.equals("."))
            .toList();
    return String.join("/", names);
  }

  public static PathPattern of(String text) {
    String path = clean(text);
    int[] characters = path.codePoints().toArray();
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < characters.length; i++) {
      int c = characters[i];
      int end = c == '[' ? indexOf(characters, ']', i + 1) : -1;
      if (c == '*' && isCharacter(characters, i + 1, '*')) {
        boolean slash = isCharacter(characters, i + 2, '/');
        parts.addAll(slash ? directories() : List.of(new Part(Kind.MANY, _ -> true)));
        i += slash ? 2 : 1;
      } else if (c == '*') {
        parts.add(new Part(Kind.MANY, PathPattern::isInName));
      } else if (c == '?') {
        parts.add(new Part(Kind.ONE, PathPattern::isInName));
      } else if (end > 0) {
        Optional<IntPredicate> set = parseSet(Arrays.copyOfRange(characters, i + 1, end));
        if (set.isEmpty()) {
          return new PathPattern(path.codePoints().mapToObj(PathPattern::literal).toList());
        }
        parts.add(new Part(Kind.ONE, set.get()));
        i = end;
      } else {
        i += c == '\\' && i + 1 < characters.length ? 1 : 0;
        parts.add(literal(characters[i]));
      }
    }
    return new PathPattern(parts);
  }

  private static boolean isInName(int character) {
    return character != '/';
  }

  private static boolean isCharacter(int[] characters, int index, char expected) {
    return index < characters.length && characters[index] == expected;
  }

  private static int indexOf(int[] characters, char expected, int from) {
    for (int i = from; i < characters.length; i++) {
      if (characters[i] == expected) {
        return i;
      }
    }
    return -1;
  }

  private static Part literal(int character) {
    return new Part(Kind.ONE, candidate -> candidate == character);
  }

  private static List<Part> directories() {
    return List.of(new Part(Kind.OPTIONAL, _ -> false), new Part(Kind.DIRECTORIES, _ -> true));
  }

  /** Returns the set in brackets; empty if it is not valid. */
  private static Optional<IntPredicate> parseSet(int[] content) {
    boolean isNegated = isCharacter(content, 0, '^');
    List<int[]> ranges = new ArrayList<>();
    for (int i = isNegated ? 1 : 0; i < content.length; i++) {
      boolean range = isCharacter(content, i + 1, '-') && i + 2 < content.length;
      int rangeEnd = range ? content[i + 2] : content[i];
      if (rangeEnd < content[i]) {
        return Optional.empty();
      }
      ranges.add(new int[] {content[i], rangeEnd});
      i += range ? 2 : 0;
    }
    IntPredicate isInRange = c -> ranges.stream().anyMatch(range -> c >= range[0] && c <= range[1]);
    return ranges.isEmpty()
        ? Optional.empty()
        : Optional.of(isNegated ? isInRange.negate() : isInRange);
  }

  public static boolean isPattern(String path) {
    return path.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  /**
   * @param path a normalized path
   */
  public boolean matches(String path) {
    return matches(path, _ -> {});
  }

  /**
   * @param steps receives the number of comparisons
   */
  boolean matches(String path, LongConsumer steps) {
    return scan(path, false, steps);
  }

  /** Returns whether the pattern matches the path or one of its parent directories. */
  public boolean covers(String path) {
    return scan(path, true, _ -> {});
  }

  /** Scans the path once, tracking all parts that may have been reached. */
  private boolean scan(String path, boolean matchesParents, LongConsumer steps) {
    boolean[] reached = new boolean[parts.length + 1];
    boolean[] next = new boolean[reached.length];
    reached[0] = true;
    addSkippedParts(reached);
    int character;
    for (int index = 0; index < path.length(); index += Character.charCount(character)) {
      character = path.codePointAt(index);
      steps.accept(parts.length);
      if (matchesParents && character == '/' && reached[parts.length]) {
        return true;
      }
      if (!step(reached, character, next)) {
        return false;
      }
      boolean[] previous = reached;
      reached = next;
      next = previous;
    }
    return reached[parts.length];
  }

  /**
   * Fills {@code next} with the parts reached after one character; returns false if there are none.
   */
  private boolean step(boolean[] reached, int character, boolean[] next) {
    Arrays.fill(next, false);
    boolean isReached = false;
    for (int i = 0; i < parts.length; i++) {
      Part part = parts[i];
      if (reached[i] && part.accepts().test(character)) {
        isReached = true;
        next[i] |= part.kind() != Kind.ONE;
        next[i + 1] |=
            part.kind() == Kind.ONE || (part.kind() == Kind.DIRECTORIES && character == '/');
      }
    }
    addSkippedParts(next);
    return isReached;
  }

  /** Marks the parts that are reached because the parts before them may match nothing. */
  private void addSkippedParts(boolean[] reached) {
    for (int i = 0; i < parts.length; i++) {
      Kind kind = parts[i].kind();
      if (reached[i] && (kind == Kind.MANY || kind == Kind.OPTIONAL)) {
        reached[i + 1] = true;
        if (kind == Kind.OPTIONAL) {
          reached[i + 2] = true;
        }
      }
    }
  }
}
