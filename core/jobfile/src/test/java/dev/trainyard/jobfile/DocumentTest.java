package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The masked forms of a file for different viewers. */
class DocumentTest {
  private static final String V2 =
      """
      protocolVersion: 2
      name: n
      type: job
      contributor: &c hunter2
      prerequisites:
      - name: 😀
        type: dockerimage
        uri: registry.example/a
        auth: AUTH
      - {name: d, type: data, uri: [], password: hunter2}
      taskRoles:
        w:
          dockerImage: 😀
          resourcePerInstance: {cpu: 1, memoryMB: 512, gpu: 0}
          commands: ['true']
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{username: u, password: hunter2}",
        "\n      username: u\n      password: 'hunter2'",
        "\n      password: |-\n        hunter2\n      username: u",
        "\n      username: u\n      password: *c",
        "\n      <<: &all {username: u, password: \"hunter2\"}",
      })
  void masked_registryPassword(String auth) {
    String text = V2.replace("AUTH", auth);
    ParsedJob job = JobFiles.parse(text);
    assertThat(job.problems()).isEmpty();
    assertThat(job.text()).contains("******", "username: u").doesNotContain("hunter2");
    assertThat(job.spec().orElseThrow().prerequisites().getFirst().fields().toString())
        .contains("hunter2");
    assertThat(JobFiles.textForOwner(text)).isEqualTo(job.text());
    assertThat(JobFiles.parse(job.text()).rejecting(JobFiles.MASKED).problems())
        .extracting(Problem::path)
        .containsExactly("prerequisites[0].auth.password");
  }

  @Test
  void masked_passwordReferenceToSecret_isUnchanged() {
    String text =
        V2.replace("AUTH", "{username: u, password: <% $secrets.p %>}").replace("hunter2", "x")
            + "secrets: # hunter1\n  p: hunter2\n  # was hunter3\n  deep: {a: [hunter4, 5]}\n";
    assertThat(JobFiles.parse(text).text())
        .contains("password: <% $secrets.p %>")
        .endsWith("{\"p\": \"******\", \"deep\": {\"a\": [\"******\", \"******\"]}}\n")
        .doesNotContain("hunter2", "hunter3", "hunter4");
  }

  @Test
  void masked_variables_areHiddenOnlyFromOthers() {
    String text =
        "{\"jobName\": \"n\", \"jobEnvs\": {\"TOKEN\": \"hunter2\", \"N\": 3}, \"image\": \"i\"}";
    assertThat(JobFiles.textForOwner(text)).isEqualTo(text);
    assertThat(JobFiles.textForReaders(text))
        .isEqualTo(
            "{\"jobName\": \"n\", \"jobEnvs\": {\"TOKEN\": \"******\", \"N\": \"******\"},"
                + " \"image\": \"i\"}");
    assertThat(JobFiles.textForReaders("\uFEFFimage: &a x\njobName: n\njobEnvs: {A: *a}\n"))
        .isEqualTo("\uFEFFimage: &a \"******\"\njobName: n\njobEnvs: {\"A\": \"******\"}\n");
  }

  @Test
  void masked_nameTooLongForOneLine() {
    String text = "secrets: {? " + "x".repeat(2000) + " : y}\n";
    assertThat(YamlDocument.read(text, new Problems()).orElseThrow().mask(text))
        .isEqualTo("secrets: \"******\"\n");
  }
}
