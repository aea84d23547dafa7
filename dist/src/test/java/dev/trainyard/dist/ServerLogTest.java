package dev.trainyard.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerLogTest {
  @TempDir private Path data;

  @Test
  void rotate_manyStarts_keepsTheLastFive() throws IOException {
    ServerLog log = ServerLog.of(data);
    for (int start = 1; start <= 8; start++) {
      log.rotate();
      Files.writeString(log.file(), "start " + start);
    }
    assertThat(Files.readString(log.file())).isEqualTo("start 8");
    assertThat(Files.readString(data.resolve("server.log.1"))).isEqualTo("start 7");
    assertThat(Files.readString(data.resolve("server.log.5"))).isEqualTo("start 3");
    assertThat(data.resolve("server.log.6")).doesNotExist();
  }

  @Test
  void tail_longLog_returnsTheLastLines() throws IOException {
    ServerLog log = ServerLog.of(data);
    assertThat(log.tail(3)).isEmpty();
    Files.writeString(log.file(), "x\n".repeat(100_000) + "a\nb\nlast");
    assertThat(log.tail(3)).containsExactly("a", "b", "last");
  }

  @Test
  void startupError_atTheEnd_returnsTheErrorAndItsDetails() throws IOException {
    ServerLog log = ServerLog.of(data);
    Files.writeString(log.file(), "INFO the server has stopped\nerror: bad settings\n  port: no\n");
    assertThat(log.startupError("error: ")).containsExactly("bad settings", "port: no");
    Files.writeString(log.file(), "error: early\nException in thread main\n  at x\n");
    assertThat(log.startupError("error: ")).isEmpty();
  }
}
