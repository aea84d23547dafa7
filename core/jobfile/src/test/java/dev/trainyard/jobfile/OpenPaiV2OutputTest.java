package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OpenPaiV2OutputTest {
  private static ParsedJob parse(String outputs, String role, String extras) {
    return JobFiles.parse(
        """
        protocolVersion: 2
        name: a
        type: job
        prerequisites:
        - {name: i, type: dockerimage, uri: ubuntu}
        %s
        taskRoles:
          w:
            dockerImage: i
            %s
            resourcePerInstance: {cpu: 1, memoryMB: 100, gpu: 0}
            commands: [a]
        extras: {%s}
        """
            .formatted(outputs, role, extras));
  }

  private static ParsedJob ofUri(String uri, String extras) {
    return parse("- {name: o, type: output, uri: '" + uri + "'}", "output: o", extras);
  }

  private static void assertNotSaved(ParsedJob job) {
    assertThat(job.problems()).isEmpty();
    assertThat(job.spec().orElseThrow().outputDir()).isEmpty();
    assertThat(job.warnings().stream().map(Problem::message))
        .filteredOn(message -> message.code().equals("jobfile.output-not-saved"))
        .singleElement()
        .satisfies(
            message -> assertThat(message.english()).contains("$PAI_OUTPUT_DIR (/joboutput)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/tmp/out", "/userhome/out", "/out/$PAI_JOB_NAME", "$PAI_DEFAULT_FS_URI/out"})
  void choose_savedPath(String uri) {
    ParsedJob job = ofUri(uri, "");
    assertThat(job.warnings()).isEmpty();
    assertThat(job.spec().orElseThrow().outputDir()).isEqualTo(uri);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hdfs://a/b",
        "relative",
        "/usr/out",
        "/userhome",
        "/userhome/../x",
        "/tmp/../etc",
        "/gshare/x",
        "/dev/shm/x",
        "/out/$HOME",
        "/out/`id`",
        "$HOME/out"
      })
  void choose_otherPath_warns(String uri) {
    assertNotSaved(ofUri(uri, ""));
  }

  @Test
  void choose_insideStorage_warns() {
    assertNotSaved(ofUri("/mnt/nfs/out", "storages: [{name: nfs}]"));
    assertNotSaved(ofUri("/data", "storages: [{name: nfs, mountPath: /data/in}]"));
    assertNotSaved(ofUri("/mnt/nfs/out", "storages: []"));
    assertThat(ofUri("/mnt/out", "").spec().orElseThrow().outputDir()).isEqualTo("/mnt/out");
  }

  @Test
  void choose_severalOutputs_savesOutputUsedByRole() {
    String outputs = "- {name: a, type: output, uri: /a}\n- {name: b, type: output, uri: /b}";
    ParsedJob job = parse(outputs, "output: b", "");
    assertThat(job.spec().orElseThrow().outputDir()).isEqualTo("/b");
    assertThat(job.warnings())
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.path()).isEqualTo("prerequisites[1].uri");
              assertThat(warning.message().code()).isEqualTo("jobfile.output-not-saved");
            });
  }

  @Test
  void choose_storageAtTheDefaultDirectory_isRejected() {
    assertThat(ofUri("/a", "storages: [{name: nfs, mountPath: /joboutput/x}]").problems())
        .singleElement()
        .satisfies(
            problem -> assertThat(problem.message().code()).isEqualTo("jobfile.storage-path"));
  }
}
