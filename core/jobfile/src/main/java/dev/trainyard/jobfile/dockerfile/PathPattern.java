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
 * regular expression, because the author of the pattern also chooses the names, and backtracking
 * over many stars would take practically forever. Here each character of a path is compared once
 * with each part.
 */
public final class PathPattern {
  private enum Kind {
    /** Matches one character. */
    ONE,
    /** Matches any number of characters. */
    MANY,
    /** Can be skipped together with the part after it. */
    OPTIONAL,
    /** Matches everything up to any slash. */
    DIRECTORIES
  }

  private record Part(Kind kind, IntPredicate takes) {}

  private final Part[] parts;

  private PathPattern(List<Part> parts) {
    this.parts = parts.toArray(Part[]::new);
  }

  /** Normalizes a path: removes leading and trailing slashes and dots. */
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
      if (c == '*' && is(characters, i + 1, '*')) {
        boolean slash = is(characters, i + 2, '/');
        parts.addAll(slash ? directories() : List.of(new Part(Kind.MANY, _ -> true)));
        i += slash ? 2 : 1;
      } else if (c == '*') {
        parts.add(new Part(Kind.MANY, PathPattern::isInName));
      } else if (c == '?') {
        parts.add(new Part(Kind.ONE, PathPattern::isInName));
      } else if (end > 0) {
        Optional<IntPredicate> set = set(Arrays.copyOfRange(characters, i + 1, end));
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

  private static boolean is(int[] characters, int at, char wanted) {
    return at < characters.length && characters[at] == wanted;
  }

  private static int indexOf(int[] characters, char wanted, int from) {
    for (int i = from; i < characters.length; i++) {
      if (characters[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  private static Part literal(int character) {
    return new Part(Kind.ONE, found -> found == character);
  }

  private static List<Part> directories() {
    return List.of(new Part(Kind.OPTIONAL, _ -> false), new Part(Kind.DIRECTORIES, _ -> true));
  }

  /** Returns the set in brackets; empty if it is not valid. */
  private static Optional<IntPredicate> set(int[] content) {
    boolean not = is(content, 0, '^');
    List<int[]> ranges = new ArrayList<>();
    for (int i = not ? 1 : 0; i < content.length; i++) {
      boolean range = is(content, i + 1, '-') && i + 2 < content.length;
      int last = range ? content[i + 2] : content[i];
      if (last < content[i]) {
        return Optional.empty();
      }
      ranges.add(new int[] {content[i], last});
      i += range ? 2 : 0;
    }
    IntPredicate in = c -> ranges.stream().anyMatch(range -> c >= range[0] && c <= range[1]);
    return ranges.isEmpty() ? Optional.empty() : Optional.of(not ? in.negate() : in);
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
   * @param steps receives the amount of work
   */
  boolean matches(String path, LongConsumer steps) {
    return walk(path, false, steps);
  }

  /** Returns whether the pattern matches the path or one of its parent directories. */
  public boolean covers(String path) {
    return walk(path, true, _ -> {});
  }

  /** Scans the path once, tracking all parts that may have been reached. */
  private boolean walk(String path, boolean directoriesCount, LongConsumer steps) {
    boolean[] reached = new boolean[parts.length + 1];
    boolean[] next = new boolean[reached.length];
    reached[0] = true;
    skip(reached);
    int character;
    for (int at = 0; at < path.length(); at += Character.charCount(character)) {
      character = path.codePointAt(at);
      steps.accept(parts.length);
      if (directoriesCount && character == '/' && reached[parts.length]) {
        return true;
      }
      if (!step(reached, character, next)) {
        return false;
      }
      boolean[] before = reached;
      reached = next;
      next = before;
    }
    return reached[parts.length];
  }

  /**
   * Fills {@code next} with the parts reached after one character; returns false if there are none.
   */
  private boolean step(boolean[] reached, int character, boolean[] next) {
    Arrays.fill(next, false);
    boolean any = false;
    for (int i = 0; i < parts.length; i++) {
      Part part = parts[i];
      if (reached[i] && part.takes().test(character)) {
        any = true;
        next[i] |= part.kind() != Kind.ONE;
        next[i + 1] |=
            part.kind() == Kind.ONE || (part.kind() == Kind.DIRECTORIES && character == '/');
      }
    }
    skip(next);
    return any;
  }

  /** Adds parts that are reached because a part may match nothing; all of them lead forward. */
  private void skip(boolean[] reached) {
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
