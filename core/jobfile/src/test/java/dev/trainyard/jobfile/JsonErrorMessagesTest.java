package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonErrorMessagesTest {
  /** In the texts of the table {@code ↵} represents a line break and {@code `} a quote. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "{ § jobfile.json-end § 1 § 2",
        "{↵  `jobName`: `x` § jobfile.json-end § 2 § 17",
        "{`jobName`: `x § jobfile.json-end § 1 § 15",
        "{↵  `jobName`: `x`,↵} § jobfile.json-comma § 3 § 1",
        "{`a`: [1,]} § jobfile.json-comma § 1 § 10",
        "{↵  `jobName`: `x`↵  `image`: `y`} § jobfile.json-comma-missing § 3 § 3",
        "{`a` `b`} § jobfile.json-comma-missing § 1 § 6",
        "{'a': 1} § jobfile.json-quotes § 1 § 2",
        "{`a`: 'b'} § jobfile.json-quotes § 1 § 7",
        "{“a”: 1} § jobfile.json-quotes § 1 § 2",
        "{↵# a name↵`a`: 1} § jobfile.json-comment § 2 § 1",
        "{`a`: `one↵two`} § jobfile.json-control § 1 § 11",
        "{`a`: yes} § jobfile.json § 1 § 7",
        "{`a`: 01} § jobfile.json § 1 § 8",
        "{`a`: .5} § jobfile.json § 1 § 7",
        "{`a`: NaN} § jobfile.json § 1 § 7",
        "{`a`: `\\x`} § jobfile.json § 1 § 9",
        "{`a`: 1]} § jobfile.json § 1 § 8",
        "{a: 1} § jobfile.json § 1 § 2",
        "{`a`: 1}} § jobfile.json § 1 § 9",
      })
  void parse_brokenJson(String text, String code, int line, int column) {
    ParsedJob job = JobFiles.parse(text.replace('↵', '\n').replace('`', '"'));

    assertThat(job.format()).isEmpty();
    assertThat(job.spec()).isEmpty();
    assertThat(job.problems()).hasSize(1);
    Problem problem = job.problems().getFirst();
    assertThat(problem.path()).isEmpty();
    assertThat(problem.message().code() + " " + problem.line() + ":" + problem.column())
        .isEqualTo(code + " " + line + ":" + column);
  }

  @Test
  void parse_windowsLineEnds() {
    Problem problem = JobFiles.parse("{\r\n\"a\": 1,\r\n}").problems().getFirst();

    assertThat(problem.line()).isEqualTo(3);
    assertThat(problem.column()).isEqualTo(1);
  }

  @Test
  void parse_nestedTooDeeply() {
    for (String open : new String[] {"[", "{\"a\":"}) {
      ParsedJob job = JobFiles.parse("{\"extras\":" + open.repeat(100_000));
      assertThat(job.problems())
          .singleElement()
          .satisfies(problem -> assertThat(problem.message().code()).isEqualTo("jobfile.too-deep"));
    }
  }

  @Test
  void parse_hugeNumber() {
    String digits = "9".repeat(500_000);
    for (String number : new String[] {digits, "0." + digits, "1e" + digits, "-" + digits}) {
      ParsedJob job = JobFiles.parse("{\"retryCount\": " + number + "}");
      assertThat(job.problems())
          .singleElement()
          .satisfies(
              problem -> {
                assertThat(problem.message().code()).isEqualTo("jobfile.json-limit");
                assertThat(problem.line()).isEqualTo(1);
              });
    }
  }
}
