package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class StartFailureTest {
  @TempDir Path directory;

  @Test
  void open_nothingListens_namesTheAddressAndTheRemedy() throws Exception {
    String url = "jdbc:postgresql://127.0.0.1:" + freePort() + "/trainyard?user=x";
    assertThatThrownBy(() -> Databases.open(url, directory))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("PostgreSQL does not respond at 127.0.0.1:")
        .hasMessageContaining("start PostgreSQL, or correct --db");
  }

  /** A PostgreSQL server that hangs has its connections accepted by the kernel. */
  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void open_silentAfterTheResponseAboutTls_namesTheAddressAndTheRemedy() throws Exception {
    try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> declineTls(listening));
      String url = "jdbc:postgresql://127.0.0.1:" + listening.getLocalPort() + "/trainyard?user=x";
      assertThatThrownBy(() -> Lease.read(url))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("PostgreSQL does not respond at 127.0.0.1:")
          .hasMessageContaining("start PostgreSQL, or correct --db");
    }
  }

  /** Answers every request for TLS, and nothing else. */
  private static void declineTls(ServerSocket listening) {
    List<Socket> connections = new ArrayList<>();
    try {
      while (true) {
        Socket connection = listening.accept();
        connections.add(connection);
        connection.getInputStream().readNBytes(8);
        connection.getOutputStream().write('N');
      }
    } catch (IOException e) {
      // The test has ended.
    } finally {
      connections.forEach(StartFailureTest::close);
    }
  }

  private static void close(Socket connection) {
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
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

  @Test
  void acquire_roleCannotCreateTables_namesTheRoleAndTheGrant() throws Exception {
    String url = PostgresServer.running().createEmptyDatabase();
    String role = "reader_" + url.replaceAll(".*/(t\\d+).*", "$1");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create role " + role + " login password 'x'");
      statement.execute("revoke create on schema public from public");
    }
    String limited =
        url.replaceAll("[?&](user|password)=[^&]*", "") + "?user=" + role + "&password=x";
    Lease.Claim claim = new Lease.Claim("first", "installation", "host 1:1", "boot");
    assertThat(Lease.read(limited).hasTables()).isFalse();
    assertThatThrownBy(() -> Lease.acquire(limited, claim, new Lease.Origin(true, "")))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("GRANT ALL ON SCHEMA public TO " + role);
    assertThatThrownBy(() -> Databases.open(limited, directory))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("GRANT");
  }

  @Test
  void version_databaseFails_notTreatedAsMissingTables() throws Exception {
    String url = PostgresServer.running().createEmptyDatabase();
    Connection connection = DriverManager.getConnection(url);
    try (connection) {
      assertThat(Schema.version(connection)).isEqualTo(-1);
    }
    assertThatThrownBy(() -> Schema.version(connection)).isInstanceOf(IllegalStateException.class);
  }
}
