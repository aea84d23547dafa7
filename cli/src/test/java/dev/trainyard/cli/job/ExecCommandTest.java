package dev.trainyard.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.cli.TestShell;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class ExecCommandTest {
  @TempDir private Path home;

  private TestShell shell(FakeTask task) {
    return new TestShell(home).env("TRAINYARD_SERVER", task.url()).env("TRAINYARD_TOKEN", "secret");
  }

  @Test
  void exec_returnsStreamsAndExitCode() throws Exception {
    CompletableFuture<String> input = new CompletableFuture<>();
    try (FakeTask task =
        new FakeTask(
            socket -> {
              socket.accept();
              ByteArrayOutputStream receivedInput = new ByteArrayOutputStream();
              byte[] message = socket.receive();
              while (message[1] == 0) {
                receivedInput.write(message, 2, message.length - 2);
                message = socket.receive();
              }
              assertThat(message).containsExactly(2, 255, 0);
              input.complete(receivedInput.toString(StandardCharsets.UTF_8));
              socket.send(1, "to ");
              // A message in two frames with a ping between them.
              socket.frame(0x02, new byte[] {1, 'o', 'u'});
              socket.frame(0x89, new byte[] {'h', 'i'});
              socket.frame(0x80, new byte[] {'t'});
              assertThat(socket.receive()).containsExactly(10, 'h', 'i');
              socket.send(2, "to err");
              socket.send(77, "something newer");
              socket.send(3, "{\"exitCode\":42}");
            })) {
      TestShell shell = shell(task).stdin("typed");
      int code = shell.run("exec", "alice~job", "--", "sh", "-c", "a&b ü", "");
      assertThat(code).isEqualTo(42);
      assertThat(shell.out()).isEqualTo("to out");
      assertThat(shell.err()).isEqualTo("to err");
      assertThat(input.join()).isEqualTo("typed");
      assertThat(task.request())
          .startsWith(
              "GET /api/v3/jobs/alice%7Ejob/tasks/-/-/exec"
                  + "?command=sh&command=-c&command=a%26b%20%C3%BC&command= HTTP/1.1\r\n")
          .contains("Authorization: Bearer secret\r\n");
    }
  }

  @Test
  void exec_ttyOption() throws Exception {
    try (FakeTask task =
        new FakeTask(
            socket -> {
              socket.accept();
              socket.send(1, "\u001B[2Jcleared");
              socket.send(3, "{\"exitCode\":0}");
            })) {
      TestShell shell = shell(task);
      assertThat(shell.run("exec", "job", "--role", "w", "--index", "1", "-t")).isZero();
      assertThat(shell.out()).isEqualTo("\u001B[2Jcleared");
      assertThat(task.request()).startsWith("GET /api/v3/jobs/job/tasks/w/1/exec?columns=");
    }
  }

  @Test
  void exec_rejected() throws Exception {
    String body =
        "{\"code\":\"CONFLICT\",\"message\":\"x\",\"messageCode\":\"error.exec-waiting\","
            + "\"params\":{\"job\":\"big\"},\"problems\":[]}";
    try (FakeTask task =
        new FakeTask(
            socket ->
                socket.respond(
                    "HTTP/1.1 409 Conflict\r\nContent-Length: " + body.length(), body))) {
      TestShell shell = shell(task);
      assertThat(shell.run("exec", "big")).isEqualTo(1);
      assertThat(shell.err()).contains("the job big is still waiting");
    }
  }

  @Test
  void exec_connectionLost() throws Exception {
    try (FakeTask task =
        new FakeTask(
            socket -> {
              socket.accept();
              socket.send(1, "half");
            })) {
      TestShell shell = shell(task);
      assertThat(shell.run("exec", "job")).isEqualTo(5);
      assertThat(shell.out()).isEqualTo("half");
      assertThat(shell.err()).contains("lost before the command finished");
    }
  }

  @Test
  void exec_serverCloses() throws Exception {
    try (FakeTask task =
        new FakeTask(
            socket -> {
              socket.accept();
              socket.frame(0x88, (byte) 3, (byte) 0xE9, (byte) 'e', (byte) 'n', (byte) 'd');
            })) {
      TestShell shell = shell(task);
      assertThat(shell.run("exec", "job")).isEqualTo(5);
      assertThat(shell.err()).contains("end");
    }
  }

  @Test
  void exec_invalidResponse() throws Exception {
    try (FakeTask task =
        new FakeTask(
            socket -> socket.respond("HTTP/1.1 101 Switching\r\nSec-WebSocket-Accept: no", ""))) {
      assertThat(shell(task).run("exec", "job")).isEqualTo(5);
    }
    try (FakeTask task = new FakeTask(socket -> socket.respond("SSH-2.0-hello", ""))) {
      assertThat(shell(task).run("exec", "job")).isEqualTo(5);
    }
  }

  @Test
  void exec_usageErrors() throws Exception {
    try (FakeTask task = new FakeTask(socket -> {})) {
      TestShell shell = shell(task);
      assertThat(shell.run("exec")).isEqualTo(2);
      assertThat(shell.run("exec", "job", "--json", "--", "true")).isEqualTo(2);
      assertThat(shell.run("exec", "job", "--", "x".repeat(70_000))).isEqualTo(1);
      assertThat(shell.err()).contains("longer than");
    }
  }
}
