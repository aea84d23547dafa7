package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the tables of docs/architecture.md with the directories. */
class ArchitectureDocumentTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
  private static final Pattern MODULE_ROW = Pattern.compile("(?m)^\\| `([a-z/-]+)` \\| (?!`)");
  private static final Pattern PACKAGE_ROW =
      Pattern.compile("(?m)^\\| `([a-z]+/[a-z]+)` \\| `([a-z]+)` \\|");

  @Test
  void modules_areThoseOfTheBuild() throws IOException {
    List<String> builtModules =
        MODULE
            .matcher(Files.readString(ROOT.resolve("pom.xml")))
            .results()
            .map(row -> row.group(1))
            .toList();
    List<String> documentedNames =
        MODULE_ROW.matcher(section("## Modules")).results().map(row -> row.group(1)).toList();
    assertThat(documentedNames).containsExactlyInAnyOrderElementsOf(builtModules);
  }

  @Test
  void packages_areTheDirectories() throws IOException {
    Set<String> packages = new TreeSet<>();
    for (String group : List.of("core", "engine", "server")) {
      try (Stream<Path> modules = Files.list(ROOT.resolve(group))) {
        for (Path module : modules.filter(Files::isDirectory).toList()) {
          addPackages(group, module.getFileName().toString(), packages);
        }
      }
    }
    Set<String> documentedNames = new TreeSet<>();
    Matcher rows = PACKAGE_ROW.matcher(section("### Packages"));
    while (rows.find()) {
      documentedNames.add(rows.group(1) + " " + rows.group(2));
    }
    assertThat(documentedNames).isEqualTo(packages);
  }

  /** Adds the packages directly below the root package of a module. */
  private static void addPackages(String group, String module, Set<String> packages)
      throws IOException {
    Path root = ROOT.resolve(group).resolve(module).resolve("src/main/java/dev/trainyard");
    root =
        switch (group) {
          case "core" -> root.resolve(module);
          case "engine" ->
              module.equals("api") ? root.resolve("engine") : root.resolve("engine", module);
          default -> root.resolve("server");
        };
    try (Stream<Path> directories = Files.list(root)) {
      directories
          .filter(Files::isDirectory)
          .forEach(directory -> packages.add(group + "/" + module + " " + directory.getFileName()));
    }
  }

  /** Returns the text from a heading to the next one. */
  private static String section(String heading) throws IOException {
    String document = Files.readString(ROOT.resolve("docs/architecture.md"));
    int start = document.indexOf(heading + "\n") + heading.length();
    int end = document.indexOf("\n#", start);
    return document.substring(start, end);
  }
}
