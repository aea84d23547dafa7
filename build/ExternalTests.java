import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lists the test classes that have an external requirement. Usage: {@code java ExternalTests.java
 * HIDDEN KEPT CHECKOUT}, where HIDDEN and KEPT are comma-separated names of requirements. A test class
 * has an external requirement if its source, or the source of another test class that it refers to in
 * the same module, passes a name of HIDDEN to {@code Requirement}. The program fails if the sources
 * use a name that is neither in HIDDEN nor in KEPT, so that every new requirement must be added to one
 * of the lists.
 */
public final class ExternalTests {
  private static final Pattern REQUIREMENT =
      Pattern.compile("Requirement\\s*\\.(?:require|missing)\\(\\s*\"(\\w+)\"");
  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w+");
  private static final Pattern TEST = Pattern.compile("\\w+(Test|IT)");

  private final Set<String> hiddenRequirements;
  private final Set<String> keptRequirements;

  private ExternalTests(Set<String> hiddenRequirements, Set<String> keptRequirements) {
    this.hiddenRequirements = hiddenRequirements;
    this.keptRequirements = keptRequirements;
  }

  public static void main(String[] arguments) throws IOException {
    ExternalTests tests =
        new ExternalTests(Set.of(arguments[0].split(",")), Set.of(arguments[1].split(",")));
    Set<String> testClasses = new TreeSet<>();
    for (Path module : modules(Path.of(arguments[2]))) {
      Path sources = module.resolve("src/test/java");
      if (Files.isDirectory(sources)) {
        testClasses.addAll(tests.findTests(sources));
      }
    }
    testClasses.forEach(System.out::println);
  }

  /** Returns the Maven modules of a checkout, such as cli and server/job. */
  private static List<Path> modules(Path checkout) throws IOException {
    try (Stream<Path> poms = Files.find(checkout, 3, (file, _) -> file.endsWith("pom.xml"))) {
      return poms.map(Path::getParent).sorted().toList();
    }
  }

  private Set<String> findTests(Path sources) throws IOException {
    Map<String, Path> files = new HashMap<>();
    try (Stream<Path> sourceFiles = Files.walk(sources)) {
      sourceFiles
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> files.put(simpleName(file), file));
    }
    Set<String> external = new HashSet<>();
    Map<String, Set<String>> references = new HashMap<>();
    for (var file : files.entrySet()) {
      String text = Files.readString(file.getValue());
      references.put(file.getKey(), typeNames(text));
      if (requiresHidden(file.getValue(), text)) {
        external.add(file.getKey());
      }
    }
    while (external.addAll(referencingClasses(references, external))) {
      // Repeat until no class is added.
    }
    Set<String> tests = new TreeSet<>();
    for (String name : external) {
      String text = Files.readString(files.get(name));
      boolean testsRequirementCheck =
          name.endsWith("Test") && external.contains(name.replaceFirst("Test$", ""));
      if (TEST.matcher(name).matches()
          && !testsRequirementCheck
          && !text.contains("abstract class " + name)) {
        String path = sources.relativize(files.get(name)).toString();
        tests.add(path.substring(0, path.length() - ".java".length()).replace('/', '.'));
      }
    }
    return tests;
  }

  private boolean requiresHidden(Path file, String text) {
    boolean requiresHidden = false;
    Matcher requirement = REQUIREMENT.matcher(text);
    while (requirement.find()) {
      String name = requirement.group(1);
      if (!hiddenRequirements.contains(name) && !keptRequirements.contains(name)) {
        throw new IllegalStateException(file + " requires " + name + ", which is neither in HIDDEN nor in KEPT");
      }
      requiresHidden |= hiddenRequirements.contains(name);
    }
    return requiresHidden;
  }

  private static List<String> referencingClasses(Map<String, Set<String>> references, Set<String> classes) {
    return references.entrySet().stream()
        .filter(file -> file.getValue().stream().anyMatch(classes::contains))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Set<String> typeNames(String text) {
    Set<String> names = new HashSet<>();
    Matcher matcher = TYPE_NAME.matcher(text.replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", ""));
    while (matcher.find()) {
      names.add(matcher.group());
    }
    return names;
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().replaceFirst("\\.java$", "");
  }
}
