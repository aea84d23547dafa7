package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.FileLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndRecordTest {
  @TempDir Path directory;

  @Test
  void parse_recordOfTheFirstProcess() {
    assertThat(EndRecord.parse("code=137 signal=9 oom=2 full=1 outside=1 .\n......"))
        .contains(new EndRecord(137, 9, true, true, true, false));
    assertThat(EndRecord.parse("code=127 signal=0 oom=0 full=0 outside=0 noshell=1 .\n"))
        .contains(new EndRecord(127, 0, false, false, false, true));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ".....",
        "code=0 signal=0 oom=0 full=0 outside=0",
        "code=999 signal=0 oom=0 full=0 outside=0 .\n",
        "code=-1 signal=0 oom=0 full=0 outside=0 .\n",
        "x code=0 signal=0 oom=0 full=0 outside=0 .\n"
      })
  void parse_invalidRecord(String text) {
    assertThat(EndRecord.parse(text)).isEmpty();
  }

  @Test
  void read_linkIsNotFollowed() throws IOException {
    Path recordFile = directory.resolve("other");
    Files.writeString(recordFile, "code=0 signal=0 oom=0 full=0 outside=0 .\n");
    Path link = Files.createSymbolicLink(directory.resolve("end"), recordFile);

    assertThat(EndRecord.read(link)).isEmpty();
    assertThat(EndRecord.read(recordFile)).isPresent();
    assertThat(EndRecord.read(directory.resolve("none"))).isEmpty();
  }

  /** A kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void read_leased_isEmptyAtOnce() throws IOException {
    Path recordFile = directory.resolve("end");
    Files.writeString(recordFile, "code=9 signal=0 oom=0 full=0 outside=0 .\n");
    try (FileLease _ = FileLease.take(recordFile)) {
      assertThat(EndRecord.read(recordFile)).isEmpty();
    }
    assertThat(EndRecord.read(recordFile)).isPresent();
  }

  @Test
  void read_withoutPermission_isEmpty() throws IOException {
    Path unreadableFile = directory.resolve("end");
    Files.writeString(unreadableFile, "code=9 signal=0 oom=0 full=0 outside=0 .\n");
    Files.setPosixFilePermissions(unreadableFile, Set.of());
    // Root can read it nevertheless.
    assertThat(EndRecord.read(unreadableFile).isPresent()).isEqualTo(TestHost.USER == 0);
  }
}
