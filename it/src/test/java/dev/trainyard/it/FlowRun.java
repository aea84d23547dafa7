package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.engine.testkit.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * A run of the browser flows as test cases. The program {@code run.mjs} prints the planned test
 * cases and then one line for each result. Each test case waits for its line. So the program
 * determines the order and the parallelism of the flows, and the times of the test cases add up to
 * the time of the run.
 */
final class FlowRun {
  private static final String RESULT = "RESULT ";

  private final BufferedReader output;
  private final Set<String> files;
  private final boolean full;
  private final ObjectMapper json = new ObjectMapper();
  private final StringBuilder printed = new StringBuilder();

  /** The planned test cases by name, in the order of their execution. */
  private final Map<String, JsonNode> planned = new LinkedHashMap<>();

  private final Map<String, JsonNode> results = new HashMap<>();
  private boolean ended;

  /**
   * Creates a run from the output of the program.
   *
   * @param files the files that contain the flows
   * @param full whether the long flows must be run
   */
  FlowRun(BufferedReader output, Set<String> files, boolean full) {
    this.output = output;
    this.files = files;
    this.full = full;
  }

  /**
   * Returns a test case for each planned flow, and a last test case that fails if the run is
   * incomplete.
   */
  Stream<DynamicTest> testCases() throws IOException {
    boolean more = true;
    while (more && planned.isEmpty()) {
      more = readLine();
    }
    Stream<DynamicTest> flows =
        planned.values().stream()
            .filter(one -> !one.path("leftOut").asBoolean())
            .map(one -> one.path("name").asText())
            .map(name -> DynamicTest.dynamicTest(name, () -> check(name)));
    return Stream.concat(
        flows, Stream.of(DynamicTest.dynamicTest("run is complete", this::checkRun)));
  }

  private void check(String name) throws IOException {
    boolean more = true;
    while (more && !results.containsKey(name)) {
      more = readLine();
    }
    JsonNode result = results.get(name);
    if (result == null) {
      throw new AssertionError(name + " has not reported a result:\n" + printed);
    }
    String message = name + ": " + result.path("message").asText();
    switch (result.path("outcome").asText()) {
      case "passed" -> {}
      case "lacks" -> throw Requirement.missing(result.path("requirement").asText(), message, null);
      default -> throw new AssertionError(message + shown(result));
    }
  }

  private static String shown(JsonNode result) {
    String screenshot = result.path("screenshot").asText();
    String page = result.path("page").asText();
    return (screenshot.isEmpty() ? "" : "\nscreenshot: " + screenshot)
        + (page.isEmpty() ? "" : "\n" + page);
  }

  private void checkRun() throws IOException {
    while (readLine()) {
      // Reads the remaining output.
    }
    Set<String> plannedFiles = new TreeSet<>();
    planned.values().forEach(one -> plannedFiles.add(one.path("file").asText()));
    assertThat(plannedFiles).as("files with planned flows\n%s", printed).isEqualTo(files);
    assertThat(planned.values())
        .as("long flows")
        .noneMatch(one -> full && one.path("leftOut").asBoolean());
    assertThat(planned.keySet()).as("planned flows").containsAll(results.keySet());
    assertThat(ended).as("regular end of the program\n%s", printed).isTrue();
  }

  /** Reads a line of the output; returns false at its end. */
  private boolean readLine() throws IOException {
    String line = output.readLine();
    if (line == null) {
      return false;
    }
    if (!line.startsWith(RESULT)) {
      printed.append(line).append('\n');
      return true;
    }
    JsonNode value = json.readTree(line.substring(RESULT.length()));
    if (value.has("planned")) {
      value.path("planned").forEach(one -> planned.put(one.path("name").asText(), one));
    } else if (value.has("ended")) {
      ended = true;
    } else {
      results.put(value.path("name").asText(), value);
    }
    return true;
  }
}
