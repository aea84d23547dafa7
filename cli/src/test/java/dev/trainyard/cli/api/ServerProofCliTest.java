package dev.trainyard.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.cli.ExitCode;
import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ServerProof;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with a program that may or may not be the server of the data directory. */
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

  /**
   * A normal stop deletes server.json. A program that takes over the port then waits for the next
   * command, which must not send the token to it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"http://127.0.0.1:%d", "http://localhost:%d/"})
  void token_serverWasStopped_isNotSentToAProgramThatTookThePort(String address)
      throws IOException {
    Path data = home.resolve(".trainyard");
    Files.move(data.resolve("server.json"), data.resolve("server-proof.json"));
    String url = address.formatted(server.address().getPort());
    assertThat(shell.run("--server", url, "--token", TOKEN, "whoami")).isNotEqualTo(ExitCode.OK);
    assertThat(shell.err()).contains("not the server of this data directory");
    assertThat(server.requests()).noneMatch(request -> request.token().contains(TOKEN));
  }

  @Test
  void password_isNotSentToAProgramThatTookThePort() throws IOException {
    Path data = home.resolve(".trainyard");
    Files.move(data.resolve("server.json"), data.resolve("server-proof.json"));
    var api =
        new ApiClient(
            server.address(),
            "",
            Trust.DEFAULT,
            () -> "",
            () -> LocalServer.findLast(data).flatMap(LocalServer::proofKey),
            RateLimitRetry.reportingTo(_ -> {}));
    assertThatThrownBy(() -> api.post("/api/v3/sessions", Map.of("password", "x")))
        .isInstanceOf(AppException.class);
    assertThat(server.requests()).noneMatch(request -> request.path().contains("sessions"));
  }

  @Test
  void sameListener_otherPortOrHost_isFalse() {
    URI local = URI.create("http://127.0.0.1:9286");
    assertThat(SameListener.isSame(local, URI.create("https://[::1]:9286/"))).isTrue();
    assertThat(SameListener.isSame(local, URI.create("http://127.1.2.3:9286"))).isTrue();
    assertThat(SameListener.isSame(local, URI.create("http://127.0.0.1:9287"))).isFalse();
    assertThat(SameListener.isSame(local, URI.create("http://192.0.2.1:9286"))).isFalse();
  }

  private void writeRecord(boolean provesAddress) throws IOException {
    Files.writeString(
        home.resolve(".trainyard/server.json"),
        "{\"url\":\"%s\",\"pid\":0,\"proofKey\":\"%s\",\"provesAddress\":%s}"
            .formatted(server.address(), key, provesAddress));
  }

  /**
   * Responds to challenges as the server does.
   *
   * @param address where the server received the challenge; null for a server of an older release
   */
  private void prove(String address) {
    server.on(
        "GET",
        "/livez",
        exchange -> {
          String challenge = exchange.getRequestURI().getQuery().replace("challenge=", "");
          String proof = "\"proof\":\"" + ServerProof.of(key, challenge) + "\"";
          String addressProof =
              address == null
                  ? ""
                  : ",\"address\":\"%s\",\"addressProof\":\"%s\""
                      .formatted(address, ServerProof.of(key, challenge, address));
          FakeServer.reply(exchange, 200, "{\"status\":\"ok\"," + proof + addressProof + "}");
        });
  }

  private void assertTokenSent() {
    assertThat(shell.run("whoami")).isEqualTo(ExitCode.OK);
    assertThat(server.requests())
        .anyMatch(request -> request.path().equals("/api/v3/me") && request.token().equals(TOKEN));
  }

  private void assertTokenNotSent() {
    assertThat(shell.run("whoami")).isNotEqualTo(ExitCode.OK);
    assertThat(shell.err()).contains("not the server of this data directory");
    assertThat(server.requests()).noneMatch(request -> request.token().contains(TOKEN));
  }

  @Test
  void token_isSentToTheServerThatProvesItself() throws IOException {
    writeRecord(true);
    prove("127.0.0.1");
    assertTokenSent();
  }

  @Test
  void token_serverOfAnOlderRelease_isSent() {
    prove(null);
    assertTokenSent();
  }

  /** A program that listens on another address of this host forwards the challenge. */
  @Test
  void token_proofOfAnotherAddressOfThisHost_isNotSent() throws IOException {
    writeRecord(true);
    prove("127.0.0.9");
    assertTokenNotSent();
  }

  @Test
  void token_forwardedProofWithoutAddress_isNotSent() throws IOException {
    writeRecord(true);
    prove(null);
    assertTokenNotSent();
  }

  /** A server in a container receives the challenge at an address that this host does not have. */
  @Test
  void token_serverBehindAPortMapping_isSent() throws IOException {
    writeRecord(true);
    prove("192.0.2.7");
    assertTokenSent();
  }
}
