package dev.trainyard.cli.image;

import dev.trainyard.jobfile.dockerfile.PathPattern;
import java.util.ArrayList;
import java.util.List;

/** Exclusion rules of a {@code .dockerignore} file; the last matching line applies. */
final class DockerIgnore {
  private record Rule(PathPattern pattern, boolean isException) {}

  private final List<Rule> rules = new ArrayList<>();

  DockerIgnore(List<String> lines) {
    for (String line : lines) {
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        boolean isException = text.startsWith("!");
        String path = PathPattern.clean(isException ? text.substring(1).strip() : text);
        if (!path.isEmpty()) {
          rules.add(new Rule(PathPattern.of(path), isException));
        }
      }
    }
  }

  boolean excludes(String path) {
    boolean isExcluded = false;
    for (Rule rule : rules) {
      if (rule.isException() == isExcluded && rule.pattern().covers(path)) {
        isExcluded = !rule.isException();
      }
    }
    return isExcluded;
  }

  /** Returns whether files in an excluded directory may be included by a later rule. */
  boolean hasExceptions() {
    return rules.stream().anyMatch(Rule::isException);
  }
}
