package dev.trainyard.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.cli.terminal.Table.Cell;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private static Terminal terminal(boolean screen, int columns) {
    var look = new Terminal.Look(screen, screen, false, true, columns, StandardCharsets.UTF_8);
    return new Terminal(look, new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  @Test
  void on_wideCharacters_aligned() {
    Table table = new Table(List.of("任务", "B"));
    table.row(Cell.of("中文名"), Cell.of("x"));
    table.row(Cell.of("abc"), Cell.of("y"));
    assertThat(table.on(terminal(true, 80))).isEqualTo("任务    B\n中文名  x\nabc     y\n");
  }

  @Test
  void on_narrowTerminal_cutsTheWidestColumn() {
    Table table = new Table(List.of("A", "REASON"));
    table.row(Cell.of("short"), Cell.of("a very long reason that does not fit at all"));
    assertThat(table.on(terminal(true, 30)).lines())
        .allMatch(line -> DisplayWidth.of(line) <= 30)
        .contains("short  a very long reason tha…");
  }

  @Test
  void on_pipe_cutsNothing() {
    Table table = new Table(List.of("A"));
    table.row(Cell.of("x".repeat(500)));
    assertThat(table.on(terminal(false, 30))).contains("x".repeat(500));
  }

  @Test
  void row_controlCharacters_removed() {
    Table table = new Table(List.of("A"));
    table.row(Cell.of("a\u001B[2Jb\nc\u202Ed"));
    assertThat(table.on(terminal(true, 80))).isEqualTo("A\na[2Jbcd\n");
  }

  @Test
  void row_wrongCount_rejected() {
    Table table = new Table(List.of("A", "B"));
    assertThatThrownBy(() -> table.row(Cell.of("x"))).hasMessageContaining("1 cells");
  }

  @Test
  void on_narrowTerminal_keepsFirstColumn() {
    String name = "a-rather-long-name-of-a-job-to-copy";
    Table table = new Table(List.of("JOB", "STATE", "RAN", "REASON")).dropping(2, 3);
    table.row(Cell.of(name), Cell.of("waiting"), Cell.of("12 min"), Cell.of("needs 4 GPUs, truly"));
    assertThat(table.on(terminal(true, 60)).lines())
        .allMatch(line -> DisplayWidth.of(line) <= 60)
        .contains(name + "  waiting  needs 4 GPUs,…");
    assertThat(table.on(terminal(true, 40))).contains(name).doesNotContain("REASON", "RAN");
    assertThat(table.on(terminal(true, 20))).contains(name);
  }
}
