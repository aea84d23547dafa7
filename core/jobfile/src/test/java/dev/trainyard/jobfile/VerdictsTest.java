package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files of real platforms and variants of them, each with its expected result. */
class VerdictsTest {
  /** Expected results by file name below the resources. */
  static Stream<Map.Entry<String, JsonNode>> verdicts() throws IOException {
    Map<String, JsonNode> verdictsByFile = new LinkedHashMap<>();
    for (JobFormat format : JobFormat.values()) {
      String directory = format.label() + "/";
      new ObjectMapper()
          .readTree(text(directory + "expected.json"))
          .properties()
          .forEach(verdict -> verdictsByFile.put(directory + verdict.getKey(), verdict.getValue()));
    }
    return verdictsByFile.entrySet().stream();
  }

  static String text(String file) throws IOException {
    try (InputStream in = VerdictsTest.class.getResourceAsStream("/" + file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  void parse_file(Map.Entry<String, JsonNode> verdict) throws IOException {
    ParsedJob job = JobFiles.parse(text(verdict.getKey()));
    Set<String> expected = new TreeSet<>();
    verdict.getValue().path("problems").forEach(path -> expected.add(path.asText()));

    assertThat(job.format().map(JobFormat::label))
        .contains(verdict.getValue().get("format").asText());
    assertThat(job.spec().isPresent()).isEqualTo(verdict.getValue().get("valid").asBoolean());
    assertThat(job.problems()).hasSameSizeAs(expected);
    assertThat(job.problems().stream().map(Problem::path).collect(Collectors.toSet()))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("verdicts")
  void parse_everyFindingHasPositionAndText(Map.Entry<String, JsonNode> verdict)
      throws IOException {
    ParsedJob job = JobFiles.parse(text(verdict.getKey()));

    assertThat(Stream.concat(job.problems().stream(), job.warnings().stream()))
        .allSatisfy(
            problem -> {
              assertThat(problem.line()).isPositive();
              assertThat(problem.column()).isPositive();
              for (Messages messages : Set.of(Messages.ENGLISH, Messages.CHINESE)) {
                assertThat(messages.codes()).contains(problem.message().code());
                assertThat(messages.text(problem.message())).doesNotContain("{", "null");
              }
            });
  }
}
