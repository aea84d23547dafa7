package dev.trainyard.cli.image;

import dev.trainyard.jobfile.dockerfile.PathPattern;
import java.util.ArrayList;
import java.util.List;

/** Exclusion rules of a {@code .dockerignore} file; the last matching line applies. */
final class DockerIgnore {
  private record Rule(PathPattern pattern, boolean kept) {}

  private final List<Rule> rules = new ArrayList<>();

  DockerIgnore(List<String> lines) {
    for (String line : lines) {
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        boolean kept = text.startsWith("!");
        String path = PathPattern.clean(kept ? text.substring(1).strip() : text);
        if (!path.isEmpty()) {
          rules.add(new Rule(PathPattern.of(path), kept));
        }
      }
    }
  }

  boolean leavesOut(String path) {
    boolean out = false;
    for (Rule rule : rules) {
      if (rule.kept() == out && rule.pattern().covers(path)) {
        out = !rule.kept();
      }
    }
    return out;
  }

  /** Returns whether files in an excluded directory may be included by a later rule. */
  boolean hasExceptions() {
    return rules.stream().anyMatch(Rule::kept);
  }
}
