package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.FakeServer;
import dev.trainyard.cli.TestShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputsCommandTest {
  @TempDir private Path home;
  private FakeServer server;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    server = new FakeServer();
    shell = new TestShell(home);
    server.on("POST", "/api/v3/sessions", 201, "{\"token\":\"fresh\",\"user\":\"alice\"}");
    shell.password("pass").run("login", server.address().toString(), "-u", "alice");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void outputs_withoutGet_listsFiles() {
    server.on(
        "GET",
        "/api/v3/jobs/a/outputs",
        200,
        """
        {"path": "", "files": [
          {"name": "model.pt", "kind": "file", "size": 1200000, "modified": 0, "text": true},
          {"name": "\\u001b[31md", "kind": "directory", "size": null, "modified": 0, "text": true}]}
        """);
    assertThat(shell.run("outputs", "a")).isZero();
    assertThat(shell.out()).contains("model.pt", "1.1 MiB", "d/").doesNotContain("\u001b[31m");
    assertThat(shell.run("outputs", "a", "--json")).isZero();
    assertThat(shell.out()).contains("\"size\" : 1200000");
  }

  @Test
  void outputs_getFile_storesFile() throws IOException {
    server.on("GET", "/api/v3/jobs/a/outputs/file", 200, "bytes");
    Path file = home.resolve("x");
    assertThat(shell.run("outputs", "a", "--get", "d/model.pt", "-o", file.toString())).isZero();
    assertThat(Files.readString(file)).isEqualTo("bytes");
    assertThat(server.requests().getLast().path()).endsWith("?path=d%2Fmodel.pt");
    assertThat(shell.run("outputs", "a", "--get", "d/model.pt", "-o", "-")).isZero();
    assertThat(shell.out()).contains("bytes");
  }

  @Test
  void outputs_getDirectory_storesArchive() throws IOException {
    server.on(
        "GET",
        "/api/v3/jobs/a/outputs/file",
        409,
        """
        {"code":"CONFLICT","message":"m","messageCode":"error.not-a-file","params":{"path":"d"}}
        """);
    server.on("GET", "/api/v3/jobs/a/outputs/archive", 200, "packed");
    Path file = home.resolve("x");
    assertThat(shell.run("outputs", "a", "--get", "d", "-o", file.toString())).isZero();
    assertThat(Files.readString(file)).isEqualTo("packed");
  }
}
