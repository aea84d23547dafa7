package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests with a local server that restarts, and therefore issues a new token, while a command runs.
 */
class LocalTokenTest {
  private static final String LOG = "/api/v3/jobs/a/logs/m/0/stdout";

  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    Files.writeString(
        home.resolve("server.json"), "{\"url\":\"" + server.address() + "\",\"pid\":0}");
    Files.writeString(home.resolve("local-token"), "old\n");
    shell = new TestShell(home).env("TRAINYARD_DATA", home.toString());
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** Rejects requests with the token of the previous start and stores the new token. */
  private void renewTokenAt(String path, String newToken, String response) {
    server.on(
        "GET",
        path,
        exchange -> {
          String token = exchange.getRequestHeaders().getFirst("Authorization");
          Files.writeString(home.resolve("local-token"), newToken + "\n");
          boolean isNewToken = "Bearer new".equals(token);
          String error = "{\"code\":\"SIGN_IN_REQUIRED\",\"message\":\"no\",\"params\":{}}";
          FakeServer.reply(exchange, isNewToken ? 200 : 401, isNewToken ? response : error);
        });
  }

  private long requestCount(String path) {
    return server.requestLines().stream().filter(line -> line.contains(path)).count();
  }

  @Test
  void read_newToken_isUsed() {
    renewTokenAt("/api/v3/jobs/a", "new", "{\"state\":\"SUCCEEDED\"}");
    assertThat(shell.run("why", "a")).as(shell.err()).isZero();
    assertThat(requestCount("/jobs/a")).isEqualTo(2);
  }

  @Test
  void open_newToken_isUsedAndKept() {
    server.on(
        "GET", "/api/v3/jobs/a", 200, "{\"tasks\":[{\"role\":\"m\",\"index\":0,\"attempt\":1}]}");
    renewTokenAt(LOG, "new", "words\n");
    assertThat(shell.run("logs", "a", "--stdout", "--tail", "5")).as(shell.err()).isZero();
    assertThat(shell.out()).isEqualTo("words\n");
    assertThat(server.requests().getLast().token()).isEqualTo("new");
    // The rejected request, the request for the end of the log, and the copy.
    assertThat(requestCount(LOG)).isEqualTo(3);
  }

  @Test
  void read_newTokenRejectedToo_failsOnce() {
    renewTokenAt("/api/v3/jobs/a", "newer", "{}");
    assertThat(shell.run("why", "a")).isEqualTo(ExitCode.NOT_ALLOWED);
    assertThat(requestCount("/jobs/a")).isEqualTo(2);
  }

  @Test
  void read_explicitToken_isNotReplaced() {
    renewTokenAt("/api/v3/jobs/a", "new", "{}");
    assertThat(shell.env("TRAINYARD_TOKEN", "mine").run("why", "a"))
        .isEqualTo(ExitCode.NOT_ALLOWED);
    assertThat(requestCount("/jobs/a")).isEqualTo(1);
  }
}
