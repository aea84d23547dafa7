package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import dev.trainyard.model.ServerProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line and a program that may or may not be the server of the data directory. */
class ServerProofCliTest {
  private static final String TOKEN = "local-secret";

  @TempDir private Path home;
  private final String key = ServerProof.random();
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    Path data = Files.createDirectory(home.resolve(".trainyard"));
    Files.writeString(
        data.resolve("server.json"),
        "{\"url\":\"%s\",\"pid\":0,\"proofKey\":\"%s\"}".formatted(server.address(), key));
    Files.writeString(data.resolve("local-token"), TOKEN + "\n");
    shell = new TestShell(home);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void token_isNotSentToAProgramThatTookThePort() {
    assertThat(shell.run("whoami")).isNotEqualTo(ExitCode.OK);
    assertThat(shell.err()).contains("not the server of this data directory");
    assertThat(server.requests())
        .isNotEmpty()
        .noneMatch(request -> request.token().contains(TOKEN));
  }

  @Test
  void token_isSentToTheServerThatProvesItself() {
    server.on(
        "GET",
        "/livez",
        exchange -> {
          String challenge = exchange.getRequestURI().getQuery().replace("challenge=", "");
          String proof = ServerProof.of(key, challenge);
          FakeServer.reply(exchange, 200, "{\"status\":\"ok\",\"proof\":\"" + proof + "\"}");
        });
    assertThat(shell.run("whoami")).isEqualTo(ExitCode.OK);
    assertThat(server.requests())
        .anyMatch(request -> request.path().equals("/api/v3/me") && request.token().equals(TOKEN));
  }
}
