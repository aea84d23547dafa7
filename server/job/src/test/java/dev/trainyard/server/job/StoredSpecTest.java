package dev.trainyard.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.jobfile.JobFiles;
import dev.trainyard.model.JobSpec;
import org.junit.jupiter.api.Test;

class StoredSpecTest {
  private static final String FILE =
      """
      protocolVersion: 2
      name: a
      type: job
      prerequisites: [{name: i, type: dockerimage, uri: ubuntu}]
      taskRoles:
        main:
          dockerImage: i
          resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
          commands: [train | tee log]
      """;

  /** Such a job is retried with the rule under which it was submitted. */
  @Test
  void read_jobOfEarlierVersion_keepsItsFailureRule() {
    JobSpec submitted = JobFiles.parse(FILE).spec().orElseThrow();
    String text = StoredJson.write(submitted);
    assertThat(text).contains(",\"strictShell\":true");
    String script = StoredJson.spec(text).roles().getFirst().script();
    assertThat(script).contains("errexit", "nounset", "pipefail").endsWith("train | tee log");
    JobSpec earlier = StoredJson.spec(text.replace(",\"strictShell\":true", ""));
    assertThat(earlier.roles().getFirst().script()).isEqualTo("train | tee log");
  }
}
