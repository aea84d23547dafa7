package dev.trainyard.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the tables of metrics in docs/operations.md with what the server exports. */
class MetricsDocumentTest {
  private static final Pattern EXPORTED = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\| [^|]+\\|$");

  @TempDir private Path directory;

  @Test
  void operationsPage_listsEveryMetricInBothLanguages() throws IOException {
    String[] languages =
        Files.readString(Path.of("../../docs/operations.md")).split("(?m)^# 运维$", 2);
    Set<String> exported;
    try (FullServerFixture server = new FullServerFixture(directory.resolve("data"))) {
      exported = names(EXPORTED, server.send("GET", "/metrics", "").body());
    }

    assertThat(exported).contains("trainyard_jobs gauge", "trainyard_retention_jobs_total counter");
    assertThat(languages).hasSize(2);
    for (String page : languages) {
      assertThat(names(ROW, page)).isEqualTo(exported);
    }
  }

  @Test
  void alertRules_useOnlyDocumentedMetrics() throws IOException {
    Set<String> documented =
        ROW.matcher(Files.readString(Path.of("../../docs/operations.md")))
            .results()
            .map(match -> match.group(1))
            .collect(Collectors.toSet());
    Set<String> used =
        Pattern.compile("\\btrainyard_\\w+")
            .matcher(Files.readString(Path.of("../../docs/monitoring/alerts.yml")))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());

    assertThat(used).contains("trainyard_jobs_finished_total").isSubsetOf(documented);
  }

  /** Returns the name and the type of each metric. */
  private static Set<String> names(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1) + " " + match.group(2))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
