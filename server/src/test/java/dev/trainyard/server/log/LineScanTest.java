package dev.trainyard.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineScanTest {
  private static LineStarts starts(long from, String text, int piece) {
    LineStarts starts = new LineStarts(from);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < bytes.length; at += piece) {
      starts.write(bytes, at, Math.min(piece, bytes.length - at));
    }
    return starts;
  }

  private static List<Long> matches(List<String> texts, boolean ignoreCase, String log, int piece) {
    LineMatches matches = new LineMatches(texts, ignoreCase, 1000, 50);
    byte[] bytes = log.getBytes(StandardCharsets.UTF_8);
    for (int at = 0; at < bytes.length; at += piece) {
      matches.write(bytes, at, Math.min(piece, bytes.length - at));
    }
    matches.finish();
    return matches.found();
  }

  @Test
  void starts_anyPieces_oneLineOfEachStep() {
    String line = "x".repeat(99) + "\n";
    for (int piece : new int[] {7, 65_536, 1_000_000}) {
      LineStarts found = starts(0, line.repeat(3000), piece);
      assertThat(found.lines()).isEqualTo(3000);
      assertThat(found.starts())
          .containsExactly(
              new LineStarts.Start(131_100, 1311), new LineStarts.Start(262_200, 2622));
    }
  }

  @Test
  void starts_lineLongerThanSteps_hasNoneWithin() {
    LineStarts found = starts(0, "a\n" + "b".repeat(3 * LineStarts.STEP) + "\nc\n", 1000);
    assertThat(found.lines()).isEqualTo(3);
    assertThat(found.starts()).containsExactly(new LineStarts.Start(3L * LineStarts.STEP + 3, 2));
  }

  @Test
  void matches_anyPieces_firstOfEachLine() {
    String log = "all well\nERROR one error\nnothing\nan Error: 错误 here\nfatal\n";
    for (int piece : new int[] {1, 2, 5, 1000}) {
      assertThat(matches(List.of("error"), true, log, piece)).containsExactly(1009L, 1036L);
      assertThat(matches(List.of("Error:", "fatal"), false, log, piece))
          .containsExactly(1036L, 1055L);
      assertThat(matches(List.of("错误"), true, log, piece)).containsExactly(1043L);
      assertThat(matches(List.of("absent"), true, log, piece)).isEmpty();
    }
  }

  @Test
  void matches_asManyAsWanted_isFull() {
    LineMatches matches = new LineMatches(List.of("a"), false, 0, 2);
    matches.write("a\na\na\n".getBytes(StandardCharsets.UTF_8), 0, 6);
    assertThat(matches.full()).isTrue();
    assertThat(matches.found()).containsExactly(0L, 2L);
  }
}
