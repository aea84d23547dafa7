package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.Message;
import dev.trainyard.model.RoleSpec;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ConversionTest {
  private static final List<String> UNUSUAL_TEXTS =
      List.of(
          "",
          " a",
          "a ",
          "a: b",
          "- a",
          "#",
          "a #b",
          "'",
          "\"",
          "\\",
          "half of 😀: \ud83d",
          "null",
          "10",
          "1e3",
          "yes",
          "a\nb",
          "a\n b\n\nc",
          " a\nb",
          "a\n  \nb",
          "a\nb\n",
          "a\tb",
          "\ta\nb",
          "\r\n",
          "\u0001",
          "\u2028",
          "\uFEFF",
          "😀",
          "中文",
          "{a}",
          "[",
          "*a",
          "&a",
          "!a",
          "%a",
          "@a",
          "a,b",
          "---",
          "? a",
          "|",
          ">",
          "<<",
          "a\u0085b",
          "~",
          "=",
          "0x1",
          "1:30",
          "true");

  static Stream<String> validFiles() throws IOException {
    return VerdictsTest.verdicts()
        .filter(verdict -> verdict.getValue().get("valid").asBoolean())
        .map(Map.Entry<String, JsonNode>::getKey);
  }

  @ParameterizedTest
  @MethodSource("validFiles")
  void toV2_parsedAgain_isSameJob(String file) throws IOException {
    String text = VerdictsTest.text(file);
    JobSpec originalSpec = JobFiles.parse(text).spec().orElseThrow();
    Conversion conversion = Conversion.toV2(text);
    ParsedJob convertedJob = JobFiles.parse(conversion.yaml());
    assertThat(convertedJob.problems()).as(conversion.yaml()).isEmpty();
    assertThat(convertedJob.format()).contains(JobFormat.OPENPAI_V2);
    JobSpec spec = convertedJob.spec().orElseThrow();
    assertThat(spec.roles()).hasSameSizeAs(originalSpec.roles());
    assertThat(spec.stopGrace()).isEqualTo(originalSpec.stopGrace());
    assertThat(spec.virtualCluster()).isEqualTo(originalSpec.virtualCluster());
    for (int i = 0; i < spec.roles().size(); i++) {
      RoleSpec originalRole = originalSpec.roles().get(i);
      RoleSpec convertedRole = spec.roles().get(i);
      assertThat(convertedRole.command()).endsWith(originalRole.command().strip());
      assertThat(convertedRole.resources()).isEqualTo(originalRole.resources());
      assertThat(convertedRole.minFailed()).isEqualTo(originalRole.minFailed());
      assertThat(convertedRole.minSucceeded()).isEqualTo(originalRole.minSucceeded());
      assertThat(convertedRole.taskCount()).isEqualTo(originalRole.taskCount());
      assertThat(spec.image(convertedRole)).isEqualTo(originalSpec.image(originalRole));
    }
  }

  @Test
  void toV2_variablesFoldersAndNames() {
    String text =
        """
        {"jobName": "a.b", "image": "i", "retryCount": -2,
         "outputDir": "/out/$PAI_USER_NAME/$PAI_JOB_NAME/\\"$HOME",
         "jobEnvs": {"A": "it's", "B-C": 1, "N": 2},
         "extras": {"own": [1, {"x": null}]},
         "taskRoles": [{"name": "1.x", "command": "echo\\n\\techo 2",
           "portList": [{"label": "8-0", "beginAt": 7000}]}]}
        """;
    Conversion conversion = Conversion.toV2(text);
    JobSpec spec = JobFiles.parse(conversion.yaml()).spec().orElseThrow();
    assertThat(spec.name()).isEqualTo("a-b");
    assertThat(spec.retryCount()).isEqualTo(Integer.MAX_VALUE);
    RoleSpec role = spec.roles().getFirst();
    assertThat(role.name()).isEqualTo("_1_x");
    assertThat(role.ports().getFirst().label()).isEqualTo("_8_0");
    assertThat(role.command())
        .isEqualTo(
            """
            set +o errexit +o nounset +o pipefail
            export A='it'\\''s'
            export N='2'
            export PAI_OUTPUT_DIR="/out/${PAI_USER_NAME}/a.b/\\"\\$HOME"
            mkdir -p "$PAI_OUTPUT_DIR"
            echo
            \techo 2\
            """);
    assertThat(conversion.file().get("extras").toString()).contains("own=[1, {x=null}]");
    assertThat(conversion.notes())
        .extracting(Message::code)
        .contains("jobfile.convert-name", "jobfile.convert-always", "jobfile.convert-port")
        .contains("jobfile.convert-lost", "jobfile.convert-output");
  }

  @Test
  void toV2_outputDirectory_isSavedAfterConversion() {
    String text =
        """
        {"jobName": "a.b", "image": "i", "outputDir": "/out/$PAI_USER_NAME/$PAI_JOB_NAME",
         "taskRoles": [{"name": "x", "command": "train --out <% $output.uri %>"}]}
        """;
    Conversion conversion = Conversion.toV2(text);
    JobSpec spec = JobFiles.parse(conversion.yaml()).spec().orElseThrow();
    assertThat(spec.outputDir()).isEqualTo("/out/$PAI_USER_NAME/a.b");
    assertThat(conversion.notes())
        .extracting(Message::code)
        .doesNotContain("jobfile.convert-output");
  }

  @Test
  void yaml_unusualTexts_roundTrip() {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < UNUSUAL_TEXTS.size(); i++) {
      fields.put("t" + i, UNUSUAL_TEXTS.get(i));
      fields.put(
          UNUSUAL_TEXTS.get(i) + " key",
          List.of(UNUSUAL_TEXTS.get(i), Map.of(UNUSUAL_TEXTS.get(i), i)));
    }
    fields.put("numbers", List.of(1, -2, 0.5, true));
    fields.put("empty", List.of(Map.of(), List.of()));
    fields.put("nested", List.of(List.of("a", List.of("b")), Map.of("c", List.of("d"))));
    String yaml = YamlText.of(fields);
    Problems problems = new Problems();
    DocumentValue root = YamlDocument.read(yaml, problems).orElseThrow().root();
    assertThat(problems.errors()).as(yaml).isEmpty();
    assertThat(PlainValues.of(root)).as(yaml).isEqualTo(fields);
  }
}
