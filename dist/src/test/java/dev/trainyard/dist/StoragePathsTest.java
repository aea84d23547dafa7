package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Checks that only StorageDirectories constructs the paths of homes, datasets, the shared folder,
 * storages and the files of jobs.
 */
class StoragePathsTest {
  private static final Pattern NAMED_DIRECTORY =
      Pattern.compile("resolve(Sibling)?\\(\\s*\"(home|gdata|gshare|storages|jobs)[\"/]");
  private static final Pattern CONSTANT = Pattern.compile("\\bUserData\\.[A-Z]");

  /**
   * Classes below StorageDirectories that only need the names of the directories: the checks of the
   * data directory, and the lists of what is in a backup.
   */
  private static final Set<String> USES_NAMES =
      Set.of(
          "StorageDirectories.java",
          "RealDirectories.java",
          "DataDirectory.java",
          "Backup.java",
          "PermittedEntries.java");

  @Test
  void storagePaths_areConstructedInOneClass() throws IOException {
    assertThat(usages(NAMED_DIRECTORY)).isEmpty();
    assertThat(usages(CONSTANT)).containsExactlyInAnyOrderElementsOf(USES_NAMES);
  }

  @Test
  void pattern_findsAPath() {
    assertThat(NAMED_DIRECTORY.matcher("data.resolve(\"home\").resolve(user)").find()).isTrue();
    assertThat(NAMED_DIRECTORY.matcher("data.resolve(\n        \"storages/users\")").find())
        .isTrue();
  }

  private static List<String> usages(Pattern pattern) throws IOException {
    List<String> files = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(Path.of("../server"))) {
      for (Path path : paths.filter(StoragePathsTest::isSource).toList()) {
        Matcher matcher = pattern.matcher(Files.readString(path));
        if (matcher.find()) {
          files.add(path.getFileName().toString());
        }
      }
    }
    return files;
  }

  private static boolean isSource(Path path) {
    return path.toString().contains("/src/main/java/") && path.toString().endsWith(".java");
  }
}
