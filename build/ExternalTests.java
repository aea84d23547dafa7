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
 * Lists the test classes that have an external requirement. Usage: {@code java ExternalTests.java HIDDEN
 * KEPT CHECKOUT}, where HIDDEN and KEPT are comma-separated names of requirements. A test class has
 * an external requirement if its source, or the source of another test class that it refers to in
 * the same module, passes a name of HIDDEN to {@code Requirement}. The program fails if the sources
 * use a name that is neither in HIDDEN nor in KEPT, so that a new requirement is not forgotten.
 */
public final class ExternalTests {
  private static final Pattern REQUIREMENT =
      Pattern.compile("Requirement\\s*\\.(?:require|missing)\\(\\s*\"(\\w+)\"");
  private static final Pattern WORD = Pattern.compile("\\b[A-Z]\\w+");
  private static final Pattern TEST = Pattern.compile("\\w+(Test|IT)");

  private final Set<String> hidden;
  private final Set<String> kept;

  private ExternalTests(Set<String> hidden, Set<String> kept) {
    this.hidden = hidden;
    this.kept = kept;
  }

  public static void main(String[] arguments) throws IOException {
    ExternalTests tests =
        new ExternalTests(Set.of(arguments[0].split(",")), Set.of(arguments[1].split(",")));
    Set<String> all = new TreeSet<>();
    for (Path module : modules(Path.of(arguments[2]))) {
      Path sources = module.resolve("src/test/java");
      if (Files.isDirectory(sources)) {
        all.addAll(tests.ofModule(sources));
      }
    }
    all.forEach(System.out::println);
  }

  /** Returns the Maven modules of a checkout, such as cli and server/job. */
  private static List<Path> modules(Path checkout) throws IOException {
    try (Stream<Path> poms = Files.find(checkout, 3, (file, _) -> file.endsWith("pom.xml"))) {
      return poms.map(Path::getParent).sorted().toList();
    }
  }

  private Set<String> ofModule(Path sources) throws IOException {
    Map<String, Path> files = new HashMap<>();
    try (Stream<Path> found = Files.walk(sources)) {
      found
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> files.put(simpleName(file), file));
    }
    Set<String> external = new HashSet<>();
    Map<String, Set<String>> uses = new HashMap<>();
    for (var file : files.entrySet()) {
      String text = Files.readString(file.getValue());
      uses.put(file.getKey(), words(text));
      if (requiresHidden(file.getValue(), text)) {
        external.add(file.getKey());
      }
    }
    while (external.addAll(users(uses, external))) {
      // Repeat until no class is added.
    }
    Set<String> tests = new TreeSet<>();
    for (String name : external) {
      String text = Files.readString(files.get(name));
      boolean ofCheckItself =
          name.endsWith("Test") && external.contains(name.replaceFirst("Test$", ""));
      if (TEST.matcher(name).matches()
          && !ofCheckItself
          && !text.contains("abstract class " + name)) {
        String path = sources.relativize(files.get(name)).toString();
        tests.add(path.substring(0, path.length() - ".java".length()).replace('/', '.'));
      }
    }
    return tests;
  }

  private boolean requiresHidden(Path file, String text) {
    boolean found = false;
    Matcher requirement = REQUIREMENT.matcher(text);
    while (requirement.find()) {
      String name = requirement.group(1);
      if (!hidden.contains(name) && !kept.contains(name)) {
        throw new IllegalStateException(file + " requires " + name + ": hide it or keep it?");
      }
      found |= hidden.contains(name);
    }
    return found;
  }

  private static List<String> users(Map<String, Set<String>> uses, Set<String> used) {
    return uses.entrySet().stream()
        .filter(file -> file.getValue().stream().anyMatch(used::contains))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    Matcher word = WORD.matcher(text.replaceAll("(?s)/\\*.*?\\*/|//[^\n]*", ""));
    while (word.find()) {
      words.add(word.group());
    }
    return words;
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().replaceFirst("\\.java$", "");
  }
}
