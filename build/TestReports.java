import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads the test reports in checkouts.
 *
 * <ul>
 *   <li>{@code java TestReports.java totals CHECKOUT...} prints the failed tests and the numbers of
 *       passed, failed and skipped tests; fails if a test failed or if there are no tests.
 *   <li>{@code java TestReports.java times CHECKOUT...} prints the slowest test classes.
 *   <li>{@code java TestReports.java skipped NAMES CHECKOUT CLASS...} fails unless each class has a
 *       test that was skipped because a requirement of NAMES (comma-separated) is missing.
 * </ul>
 *
 * <p>Tests are counted by the elements {@code <testcase>}, because the counts in the attributes of
 * {@code <testsuite>} exclude the tests of class templates, such as the suites that run on every
 * database. The test cases of a class template have class names such as {@code SuiteTest[1]}.
 */
public final class TestReports {
  private static final Pattern INVOCATION = Pattern.compile("\\[\\d+]$");
  private static final Pattern REASON = Pattern.compile("skipped, no ([a-z]+): ");

  /** Number of classes that {@code times} prints. */
  private static final int MAX_PRINTED_CLASSES = 25;

  private enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  private record TestCase(
      String className, String name, double seconds, Outcome outcome, String message) {}

  private TestReports() {}

  public static void main(String[] arguments) throws Exception {
    List<String> commandLine = Arrays.asList(arguments);
    boolean succeeded =
        switch (commandLine.getFirst()) {
          case "totals" -> printTotals(commandLine.subList(1, commandLine.size()));
          case "times" -> printTimes(commandLine.subList(1, commandLine.size()));
          case "skipped" ->
              checkSkipped(
                  Set.of(commandLine.get(1).split(",")), commandLine.get(2), commandLine.subList(3, commandLine.size()));
          default -> throw new IllegalArgumentException(commandLine.getFirst());
        };
    System.exit(succeeded ? 0 : 1);
  }

  private static boolean printTotals(List<String> checkouts) throws Exception {
    Map<Outcome, Integer> counts = new TreeMap<>();
    for (String checkout : checkouts) {
      for (TestCase test : testCases(Path.of(checkout))) {
        counts.merge(test.outcome, 1, Integer::sum);
        if (test.outcome == Outcome.FAILED) {
          System.out.println("failed: " + test.className + "." + test.name + ": " + firstLine(test));
        }
      }
    }
    int failed = counts.getOrDefault(Outcome.FAILED, 0);
    System.out.printf(
        "%d passed, %d failed, %d skipped%n",
        counts.getOrDefault(Outcome.PASSED, 0), failed, counts.getOrDefault(Outcome.SKIPPED, 0));
    return failed == 0 && !counts.isEmpty();
  }

  private static String firstLine(TestCase test) {
    return test.message.strip().lines().findFirst().orElse("");
  }

  private static boolean printTimes(List<String> checkouts) throws Exception {
    Map<String, Double> seconds = new TreeMap<>();
    for (String checkout : checkouts) {
      for (TestCase test : testCases(Path.of(checkout))) {
        seconds.merge(test.className, test.seconds, Double::sum);
      }
    }
    seconds.entrySet().stream()
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .limit(MAX_PRINTED_CLASSES)
        .forEach(entry -> System.out.printf("%6.0f s %s%n", entry.getValue(), entry.getKey()));
    return true;
  }

  private static boolean checkSkipped(Set<String> names, String checkout, List<String> classes)
      throws Exception {
    Set<String> skippedClasses = new TreeSet<>();
    List<String> problems = new ArrayList<>();
    for (TestCase test : testCases(Path.of(checkout))) {
      Matcher reason = REASON.matcher(test.message);
      if (test.outcome == Outcome.FAILED && classes.contains(test.className)) {
        problems.add(test.className + "." + test.name + " failed: " + test.message);
      } else if (test.outcome == Outcome.SKIPPED
          && reason.find()
          && names.contains(reason.group(1))) {
        skippedClasses.add(test.className);
      }
    }
    skippedClasses.retainAll(classes);
    for (String name : classes) {
      if (!skippedClasses.contains(name)) {
        problems.add(name + " has no test that was skipped because of a missing requirement");
      }
    }
    problems.forEach(System.err::println);
    System.out.printf("%d of %d test classes were skipped%n", skippedClasses.size(), classes.size());
    return problems.isEmpty() && !classes.isEmpty();
  }

  private static List<TestCase> testCases(Path checkout) throws Exception {
    List<TestCase> testCases = new ArrayList<>();
    for (Path report : reports(checkout)) {
      try (InputStream in = Files.newInputStream(report)) {
        XMLStreamReader xml = XMLInputFactory.newFactory().createXMLStreamReader(in);
        while (xml.hasNext()) {
          if (xml.next() == XMLStreamConstants.START_ELEMENT
              && xml.getLocalName().equals("testcase")) {
            testCases.add(readTestCase(xml));
          }
        }
      }
    }
    return testCases;
  }

  private static List<Path> reports(Path checkout) throws IOException {
    Pattern pattern = Pattern.compile(".*/target/(surefire|failsafe)-reports/TEST-[^/]*\\.xml");
    // CHECKOUT/server/job/target/surefire-reports/TEST-*.xml
    try (Stream<Path> files = Files.find(checkout, 5, (file, _) -> matches(pattern, file))) {
      return files.sorted().toList();
    }
  }

  private static boolean matches(Pattern pattern, Path file) {
    return pattern.matcher("/" + file).matches();
  }

  private static TestCase readTestCase(XMLStreamReader xml) throws XMLStreamException {
    String suite = INVOCATION.matcher(attribute(xml, "classname")).replaceFirst("");
    String name = attribute(xml, "name");
    // Surefire formats the time with commas as thousands separators.
    String time = attribute(xml, "time").replace(",", "");
    double seconds = time.isEmpty() ? 0 : Double.parseDouble(time);
    Outcome outcome = Outcome.PASSED;
    String message = "";
    while (!isEndOf(xml, "testcase")) {
      if (xml.next() == XMLStreamConstants.START_ELEMENT) {
        Outcome elementOutcome = outcome(xml.getLocalName());
        if (elementOutcome != Outcome.PASSED) {
          outcome = elementOutcome;
          // For a skipped test, Surefire writes the reason as text instead of the attribute.
          message = attribute(xml, "message") + " " + xml.getElementText();
        }
      }
    }
    return new TestCase(suite, name, seconds, outcome, message);
  }

  private static boolean isEndOf(XMLStreamReader xml, String element) {
    return xml.isEndElement() && xml.getLocalName().equals(element);
  }

  private static Outcome outcome(String element) {
    return switch (element) {
      case "failure", "error" -> Outcome.FAILED;
      case "skipped" -> Outcome.SKIPPED;
      default -> Outcome.PASSED;
    };
  }

  private static String attribute(XMLStreamReader xml, String name) {
    String value = xml.getAttributeValue(null, name);
    return value == null ? "" : value;
  }
}
