package dev.trainyard.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.cli.terminal.Table.Cell;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableTest {
  private static Terminal terminal(boolean isTerminal, int columns) {
    var look =
        new Terminal.Properties(
            isTerminal, isTerminal, false, true, columns, StandardCharsets.UTF_8);
    return new Terminal(look, new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  @Test
  void render_wideCharacters_areAligned() {
    Table table = new Table(List.of("任务", "B"));
    table.addRow(Cell.of("中文名"), Cell.of("x"));
    table.addRow(Cell.of("abc"), Cell.of("y"));
    assertThat(table.render(terminal(true, 80))).isEqualTo("任务    B\n中文名  x\nabc     y\n");
  }

  @Test
  void render_narrowTerminal_truncatesWidestColumn() {
    Table table = new Table(List.of("A", "REASON"));
    table.addRow(Cell.of("short"), Cell.of("a very long reason that does not fit at all"));
    assertThat(table.render(terminal(true, 30)).lines())
        .allMatch(line -> DisplayWidth.of(line) <= 30)
        .contains("short  a very long reason tha…");
  }

  @Test
  void render_pipe_truncatesNothing() {
    Table table = new Table(List.of("A"));
    table.addRow(Cell.of("x".repeat(500)));
    assertThat(table.render(terminal(false, 30))).contains("x".repeat(500));
  }

  @Test
  void addRow_controlCharacters_areRemoved() {
    Table table = new Table(List.of("A"));
    table.addRow(Cell.of("a\u001B[2Jb\nc\u202Ed"));
    assertThat(table.render(terminal(true, 80))).isEqualTo("A\na[2Jbcd\n");
  }

  @Test
  void addRow_wrongCount_throws() {
    Table table = new Table(List.of("A", "B"));
    assertThatThrownBy(() -> table.addRow(Cell.of("x")))
        .hasMessageContaining("expected 2 cells, got 1");
  }

  @Test
  void render_narrowTerminal_keepsFirstColumn() {
    String name = "a-rather-long-name-of-a-job-to-copy";
    Table table = new Table(List.of("JOB", "STATE", "RAN", "REASON")).withDroppableColumns(2, 3);
    table.addRow(
        Cell.of(name), Cell.of("waiting"), Cell.of("12 min"), Cell.of("needs 4 GPUs, truly"));
    assertThat(table.render(terminal(true, 60)).lines())
        .allMatch(line -> DisplayWidth.of(line) <= 60)
        .contains(name + "  waiting  needs 4 GPUs,…");
    assertThat(table.render(terminal(true, 40))).contains(name).doesNotContain("REASON", "RAN");
    assertThat(table.render(terminal(true, 20))).contains(name);
  }
}
