package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.trainyard.model.JobFormat;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any sequence of bytes results in a job or in problems within the time limit. In the build this
 * test runs only the seeds; CONTRIBUTING.md describes how to search for further inputs.
 */
class JobFilesFuzzTest {
  private static final String MAX_DURATION = "20m";

  @MethodSource("dev.trainyard.jobfile.FuzzSeeds#v1")
  @FuzzTest(maxDuration = MAX_DURATION)
  void parse_v1(byte[] file) {
    check(file);
  }

  @MethodSource("dev.trainyard.jobfile.FuzzSeeds#v2")
  @FuzzTest(maxDuration = MAX_DURATION)
  void parse_v2(byte[] file) {
    check(file);
  }

  private static void check(byte[] file) {
    ParsedJob job = CpuTime.runWithinLimit(file.length, () -> JobFiles.parse(file));
    String text = new String(file, StandardCharsets.UTF_8);
    if (!text.contains("\uFFFD")) {
      MutatedFilesTest.check(text); // otherwise some bytes are not valid text
    }
    if (job.spec().isPresent()) {
      checkConversion(text);
    }
  }

  /** Checks that a valid file stays valid in the other format. */
  private static void checkConversion(String text) {
    ParsedJob converted = JobFiles.parse(Conversion.toV2(text).yaml());
    assertThat(converted.problems()).isEmpty();
    assertThat(converted.format()).contains(JobFormat.OPENPAI_V2);
  }
}
