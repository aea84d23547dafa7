package dev.trainyard.jobfile.dockerfile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.LongConsumer;

/**
 * A pattern for paths below a directory, as COPY and {@code .dockerignore} write them: {@code *}
 * and {@code ?} within a name, {@code [a-z]}, and {@code **} for any directories. No regular
 * expression does the work: whoever writes the pattern also chooses the names, and going back and
 * forth between many stars would never end. Here each character of a path looks once at each part.
 */
public final class PathPattern {
  private enum Kind {
    /** Takes one character. */
    ONE,
    /** Takes as many as come. */
    MANY,
    /** May be left out together with the part behind it. */
    OPTIONAL,
    /** Takes everything up to a slash, whichever one. */
    DIRECTORIES
  }

  private record Part(Kind kind, IntPredicate takes) {}

  private final Part[] parts;

  private PathPattern(List<Part> parts) {
    this.parts = parts.toArray(Part[]::new);
  }

  /** The path without what means nothing: slashes in front and behind, dots. */
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

  /** What stands in brackets; empty where that is no set. */
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
   * @param path clean
   */
  public boolean matches(String path) {
    return matches(path, _ -> {});
  }

  /**
   * @param steps told how much work it was
   */
  boolean matches(String path, LongConsumer steps) {
    return walk(path, false, steps);
  }

  /** Whether it matches a path or a directory that it lies in. */
  public boolean covers(String path) {
    return walk(path, true, _ -> {});
  }

  /** Goes through the path once, with all parts that it may have come to. */
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

  /** Fills {@code next} with what one character leads to; returns false if that is nothing. */
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

  /** Adds what is reached because a part may take nothing; all lead forwards. */
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
