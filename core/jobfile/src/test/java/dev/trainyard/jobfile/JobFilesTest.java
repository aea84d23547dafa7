package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.Problem;
import dev.trainyard.model.RoleSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobFilesTest {
  private static final String VALID_JOB =
      "{\"jobName\":\"a\",\"image\":\"b\",\"taskRoles\":[{\"name\":\"c\",\"command\":\"d\"}]}";

  private static Message onlyProblem(String text) {
    ParsedJob job = JobFiles.parse(text);
    assertThat(job.spec()).isEmpty();
    assertThat(job.format()).isEmpty();
    assertThat(job.problems()).hasSize(1);
    Problem problem = job.problems().getFirst();
    assertThat(problem.line()).isEqualTo(1);
    return problem.message();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t\r\n", "\uFEFF", "\uFEFF  \n"})
  void parse_emptyText(String text) {
    assertThat(onlyProblem(text)).isEqualTo(Message.of("jobfile.empty"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "[1]", "\"text\"", "12", "null", "<xml/>", "\u0000\u0001", "}"})
  void parse_noKnownFormat(String text) {
    assertThat(onlyProblem(text).code()).isEqualTo("jobfile.format-unknown");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "protocolVersion: 2\nname: x",
        "# a job\nprotocolVersion : \"2\"\n",
        "{\"protocolVersion\": 2, \"name\": \"x\"}",
        "{protocolVersion: 2, name: x}",
        "name: x\ntaskRoles: {}"
      })
  void parse_openPaiV2(String text) {
    assertThat(JobFiles.parse(text).format()).contains(JobFormat.OPENPAI_V2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: &x 1\nb: *x",
        "commands: ['<% $parameters.a %>']",
        "{\"commands\": [\"\\u003c% $parameters.a %>\"]}",
        "commands: [\"\\x3c% $parameters.a %>\"]",
        "commands: [\"<\\\n% $parameters.a %>\"]",
      })
  void mayExpand_aliasOrTemplate(String text) {
    assertThat(JobFiles.mayExpand(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {VALID_JOB, "a: [x && y]", "a: [ls *]", "{\"a\": \"echo \\\"b\\\" \\n\"}"})
  void mayExpand_neitherAliasNorTemplate(String text) {
    assertThat(JobFiles.mayExpand(text)).isFalse();
  }

  @Test
  void parse_openPaiV1InYaml() {
    String text = "jobName: a\nimage: b\ntaskRoles:\n- {name: c, command: d}\n";
    assertThat(JobFiles.parse(text).spec()).isEqualTo(JobFiles.parse(VALID_JOB).spec());
  }

  @Test
  void parse_longText() {
    String text = VALID_JOB + " ".repeat(JobFiles.MAX_LENGTH);
    assertThat(onlyProblem(text)).isEqualTo(JobFiles.tooLong(text.length()));
    assertThat(onlyProblem(text).english()).contains("1048576");
  }

  @Test
  void parse_longestText() {
    String text = VALID_JOB + " ".repeat(JobFiles.MAX_LENGTH - VALID_JOB.length());
    assertThat(JobFiles.parse(text).spec()).isPresent();
  }

  @Test
  void parse_byteOrderMarkAndWindowsLineEnds() {
    String text = "\uFEFF" + VALID_JOB.replace(",", ",\r\n");
    assertThat(JobFiles.parse(text).spec()).isPresent();
    assertThat(JobFiles.parse(text).text()).isEqualTo(text);
  }

  @Test
  void parse_bytes() {
    byte[] bytes = VALID_JOB.getBytes(StandardCharsets.UTF_8);
    assertThat(JobFiles.parse(bytes).spec()).isPresent();
    bytes[2] = (byte) 0xFF;
    assertThat(JobFiles.parse(bytes).problems().getFirst().message())
        .isEqualTo(Message.of("jobfile.not-utf8"));
  }

  @Test
  void parse_textAfterEnd_isRejected() {
    assertThat(JobFiles.parse(VALID_JOB + " {}").problems())
        .extracting(problem -> problem.message().code())
        .containsExactly("jobfile.json-trailing");
  }

  @Test
  void parse_duplicateField() {
    ParsedJob job = JobFiles.parse("{\"jobName\":\"z\",\n" + VALID_JOB.substring(1));
    assertThat(job.problems())
        .containsExactly(
            new Problem("jobName", Message.of("jobfile.duplicate-field", "name", "jobName"), 2, 1));
  }

  @Test
  void parse_manyProblems_counted() {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < 50_000; i++) {
      text.append("\"strange").append(i).append("\":1,");
    }
    ParsedJob job = JobFiles.parse(text + VALID_JOB.substring(1));
    assertThat(job.problems()).hasSize(Problems.MAX_PROBLEMS + 1);
    assertThat(job.problems().getLast().message())
        .isEqualTo(Message.of("jobfile.more", "count", 50_000 - Problems.MAX_PROBLEMS));
  }

  @Test
  void parse_quotedText_shortAndPrintable() {
    String name = "\\u001b[31mred\\u202e\\n" + "x".repeat(1000);
    Problem problem =
        JobFiles.parse(VALID_JOB.replace("\"a\"", '"' + name + '"')).problems().getFirst();
    assertThat(problem.message().english()).hasSizeLessThan(160).contains("red").contains("…");
    assertThat(problem.message().english().chars())
        .noneMatch(c -> Character.isISOControl(c) || c == 0x202e);
  }

  @Test
  void parse_unusualFieldNamesInPaths() {
    ParsedJob job = JobFiles.parse(VALID_JOB.replace("}]", ",\"a.b\":1,\"\":2,\"c]\\u0007\":3}]"));
    assertThat(job.problems())
        .extracting(Problem::path)
        .containsExactly(
            "taskRoles[0][\"a.b\"]", "taskRoles[0][\"\"]", "taskRoles[0][\"c]\uFFFD\"]");
  }

  @Test
  void parse_jsonWithComments() {
    String file =
        """
        // Copied from the documentation of OpenPAI.
        /* A job
           of two lines. */
        {
          "jobName": "a", // its name
          "image": "http://example.org/*image*/", /* an image */
          "taskRoles": [{"name": "main", "command": "echo // no comment"}]
        } // end
        """;
    JobSpec spec = JobFiles.parse(file).spec().orElseThrow();
    assertThat(spec.name()).isEqualTo("a");
    assertThat(spec.roles().getFirst().command()).isEqualTo("echo // no comment");
    assertThat(JobFiles.plain(file)).containsEntry("jobName", "a");
    assertThat(JobFiles.textForOwner(file)).isEqualTo(file);
    assertThat(Conversion.toV2(file).yaml()).contains("name: a");
    assertThat(JobFiles.parse("// only a comment").spec()).isEmpty();
    assertThat(JobFiles.parse("/* not closed {").spec()).isEmpty();
  }

  @Test
  void parse_onlyV2CommandsEndAtTheFirstFailure() throws IOException {
    String v2 = VerdictsTest.text("openpai-v2/ok-v2-string-version.yaml");
    assertThat(JobFiles.parse(v2).spec().orElseThrow().roles())
        .allMatch(role -> role.strictShell());
    String v1 =
        """
        {"jobName": "a", "image": "b", "taskRoles": [{"name": "main", "command": "yes | head"}]}
        """;
    assertThat(JobFiles.parse(v1).spec().orElseThrow().roles())
        .noneMatch(role -> role.strictShell());
    RoleSpec converted =
        JobFiles.parse(Conversion.toV2(v1).yaml()).spec().orElseThrow().roles().getFirst();
    assertThat(converted.command()).isEqualTo("set +o errexit +o nounset +o pipefail\nyes | head");
  }
}
