package dev.trainyard.jobfile.dockerfile;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern for paths below a directory, as COPY and {@code .dockerignore} write them: {@code *}
 * and {@code ?} within a name, {@code [a-z]}, and {@code **} for any directories.
 */
public final class PathPattern {
  private final Pattern pattern;

  private PathPattern(Pattern pattern) {
    this.pattern = pattern;
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
    StringBuilder regex = new StringBuilder();
    String path = clean(text);
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '*' && path.startsWith("**", i)) {
        boolean slash = path.startsWith("**/", i);
        regex.append(slash ? "(?:.*/)?" : ".*");
        i += slash ? 2 : 1;
      } else if (c == '*') {
        regex.append("[^/]*");
      } else if (c == '?') {
        regex.append("[^/]");
      } else if (c == '[' && path.indexOf(']', i + 1) > 0) {
        int end = path.indexOf(']', i + 1);
        String set = path.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
        regex.append('[').append(set.replace("&&", "&\\&")).append(']');
        i = end;
      } else if (c == '\\' && i + 1 < path.length()) {
        regex.append(Pattern.quote(String.valueOf(path.charAt(++i))));
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    try {
      return new PathPattern(Pattern.compile(regex.toString(), Pattern.DOTALL));
    } catch (PatternSyntaxException e) {
      return new PathPattern(Pattern.compile(Pattern.quote(path)));
    }
  }

  public static boolean isPattern(String path) {
    return path.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  /**
   * @param path clean
   */
  public boolean matches(String path) {
    return pattern.matcher(path).matches();
  }

  /** Whether it matches a path or a directory that it lies in. */
  public boolean covers(String path) {
    for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
      if (matches(path.substring(0, slash))) {
        return true;
      }
    }
    return matches(path);
  }
}
