package dev.trainyard.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectoryVariablesTest {
  @ParameterizedTest
  @CsvSource({
    "/tmp/data, /tmp/data",
    "/out/$PAI_USER_NAME/$PAI_JOB_NAME, /out/alice/$PAI_USER_NAME",
    "/out/${PAI_JOB_NAME}x, /out/$PAI_USER_NAMEx",
    "$PAI_DEFAULT_FS_URI/Output, /Output",
    "$HOME/$PAI_USER/${PAI_JOB_NAME, $HOME/$PAI_USER/${PAI_JOB_NAME",
    "'', ''",
  })
  void substitute_replacesKnownVariablesOnce(String directory, String expected) {
    // A job can hardly have this name; if it did, its name would not be substituted again.
    assertThat(DirectoryVariables.substitute(directory, "$PAI_USER_NAME", "alice"))
        .isEqualTo(expected);
  }
}
