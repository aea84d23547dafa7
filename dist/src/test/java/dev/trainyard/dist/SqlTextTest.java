package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Finds SQL statements outside of stores. This test reads the sources, because the class file of a
 * constant that only a store uses does not show that another class defines it.
 */
class SqlTextTest {
  private static final Path SERVER = Path.of("../server");
  private static final Pattern SQL =
      Pattern.compile(
          "\\b(insert into \\w+|delete from \\w+|update \\w+ set|select .+ from \\w+)\\b",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern COMMENT = Pattern.compile("^\\s*(\\*|//|/\\*)");

  @Test
  void sqlText_isOnlyInStores() throws IOException {
    assertThat(statements(path -> !mayContainSql(path))).isEmpty();
  }

  @Test
  void pattern_findsTheStatementsOfStores() throws IOException {
    assertThat(statements(path -> path.endsWith("signup/UserRequestStore.java"))).hasSize(6);
  }

  private static boolean mayContainSql(Path path) {
    String name = typeName(path);
    return name.endsWith("Store")
        || name.startsWith("dev.trainyard.server.db.")
        || name.startsWith("dev.trainyard.server.backup.")
        || ArchitectureRules.PARTS_OF_STORES.contains(name);
  }

  private static String typeName(Path path) {
    return path.toString()
        .replaceFirst(".*src/main/java/", "")
        .replaceFirst("\\.java$", "")
        .replace('/', '.');
  }

  private interface PathFilter {
    boolean includes(Path path);
  }

  private static List<String> statements(PathFilter filter) throws IOException {
    List<String> statements = new ArrayList<>();
    for (Path path : sources()) {
      if (filter.includes(path)) {
        for (String line : Files.readAllLines(path)) {
          if (SQL.matcher(line).find() && !COMMENT.matcher(line).find()) {
            statements.add(path.getFileName() + ": " + line.strip());
          }
        }
      }
    }
    return statements;
  }

  private static List<Path> sources() throws IOException {
    try (Stream<Path> paths = Files.walk(SERVER)) {
      return paths
          .filter(path -> path.toString().contains("/src/main/java/"))
          .filter(path -> path.toString().endsWith(".java"))
          .toList();
    }
  }
}
