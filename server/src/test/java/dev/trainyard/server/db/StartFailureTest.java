package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartFailureTest {
  @TempDir Path directory;

  @Test
  void open_nothingListens_namesTheAddressAndTheRemedy() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + freePort() + "/trainyard?user=x";
    assertThatThrownBy(() -> Databases.open(url, directory))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("PostgreSQL does not answer at 127.0.0.1:")
        .hasMessageContaining("start it or correct --db");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Test
  void open_databaseMissing_namesIt() {
    String url = TestDatabase.POSTGRESQL.createUrl().replaceAll("/t\\d+", "/nowhere");
    assertThatThrownBy(() -> Databases.open(url, directory))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("has no database nowhere")
        .hasMessageContaining("createdb nowhere");
  }

  @Test
  void open_damagedFile_namesItAndTheRemedy() throws Exception {
    Path file = Files.writeString(directory.resolve("trainyard.db"), "no database".repeat(1_000));
    assertThatThrownBy(() -> Databases.open("", directory))
        .isInstanceOf(AppException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("restore a backup");
  }

  @Test
  void kind_sqlState53100_isPostgresDisk() {
    Throwable failure = new IllegalStateException(new SQLException("could not extend", "53100"));
    assertThat(Outages.kind(failure)).contains(Outages.Kind.POSTGRES_DISK_FULL);
  }
}
