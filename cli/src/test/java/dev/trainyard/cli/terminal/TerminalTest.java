package dev.trainyard.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

  private Terminal terminal(boolean isTerminal) {
    var look =
        new Terminal.Properties(isTerminal, isTerminal, true, true, 40, StandardCharsets.UTF_8);
    return new Terminal(look, screen, screen);
  }

  private String output() {
    return screen.toString(StandardCharsets.UTF_8);
  }

  @Test
  void status_thenOutput_clearsTheLineFirst() {
    Terminal terminal = terminal(true);
    terminal.status("waiting");
    terminal.print("text\n");
    assertThat(output()).endsWith("\r\u001B[Ktext\n");
  }

  @Test
  void status_pipe_printsNothing() {
    terminal(false).status("waiting");
    assertThat(output()).isEmpty();
  }

  @Test
  void status_inPartialLine_printsNothing() {
    Terminal terminal = terminal(true);
    byte[] incompleteLine = "half a line".getBytes(StandardCharsets.UTF_8);
    terminal.logOut(incompleteLine, incompleteLine.length);
    terminal.status("waiting");
    assertThat(output()).isEqualTo("half a line");
  }

  @Test
  void logOut_pipe_isRaw() {
    byte[] bytes = {0, 27, '[', '2', 'J', (byte) 0xFF, 13};
    terminal(false).logOut(bytes, bytes.length);
    assertThat(screen.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void styled_pipe_hasNoColor() {
    assertThat(terminal(false).styled(Style.BAD, "x")).isEqualTo("x");
    assertThat(terminal(true).styled(Style.BAD, "x")).isEqualTo("\u001B[31mx\u001B[0m");
    assertThat(terminal(true).withoutColors().styled(Style.BAD, "x")).isEqualTo("x");
  }

  @Test
  void print_closedPipe_throwsBrokenPipe() {
    OutputStream closedPipe =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    var look = new Terminal.Properties(false, false, false, true, 80, StandardCharsets.UTF_8);
    assertThatThrownBy(() -> new Terminal(look, closedPipe, closedPipe).print("x"))
        .isInstanceOf(BrokenPipeException.class);
  }
}
