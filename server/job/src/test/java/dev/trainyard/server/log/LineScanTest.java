package dev.trainyard.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
      matches.endChunk();
    }
    matches.finish();
    return matches.matchOffsets();
  }

  @Test
  void starts_anyChunks_oneLinePerStep() {
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
  void starts_lineLongerThanStep_hasNoStartInside() {
    LineStarts found = starts(0, "a\n" + "b".repeat(3 * LineStarts.STEP) + "\nc\n", 1000);
    assertThat(found.lines()).isEqualTo(3);
    assertThat(found.starts()).containsExactly(new LineStarts.Start(3L * LineStarts.STEP + 3, 2));
  }

  @Test
  void areSearchable_totalTooLong_isFalse() {
    List<String> texts = Collections.nCopies(3, "错".repeat(200));
    assertThat(LogLineRoutes.areSearchable(texts)).isTrue();
    assertThat(LogLineRoutes.areSearchable(Collections.nCopies(4, texts.getFirst()))).isFalse();
    assertThat(LogLineRoutes.areSearchable(Collections.nCopies(30, "x".repeat(68)))).isTrue();
    assertThat(LogLineRoutes.areSearchable(Collections.nCopies(30, "x".repeat(69)))).isFalse();
    assertThat(LogLineRoutes.areSearchable(List.of())).isFalse();
  }

  @Test
  void matches_anyChunks_firstOfEachLine() {
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
  void matches_betweenChunks_releasesAutomaton() {
    LineMatches matches = new LineMatches(List.of("error"), false, 0, 2);
    assertThat(matches.holdsAutomaton()).as("before the first chunk").isFalse();
    matches.write("one err".getBytes(StandardCharsets.UTF_8), 0, 7);
    assertThat(matches.holdsAutomaton()).isTrue();
    matches.endChunk();
    assertThat(matches.holdsAutomaton()).isFalse();
    matches.write("or".getBytes(StandardCharsets.UTF_8), 0, 2);
    assertThat(matches.matchOffsets()).containsExactly(4L);
  }

  @Test
  void matches_limitReached_isFull() {
    LineMatches matches = new LineMatches(List.of("a"), false, 0, 2);
    matches.write("a\na\na\n".getBytes(StandardCharsets.UTF_8), 0, 6);
    assertThat(matches.isFull()).isTrue();
    assertThat(matches.matchOffsets()).containsExactly(0L, 2L);
  }

  @Test
  void matches_overlappingTexts_leftmostOfEachLine() {
    List<String> texts = List.of("cd", "abcdef", "xabcz", "f");
    assertThat(matches(texts, false, "abcdef\nabcde\nxabcdef\nab\ncdef\nf", 2))
        .containsExactly(1000L, 1009L, 1014L, 1024L, 1029L);
  }

  @Test
  void matches_randomTexts_equalNaiveSearch() {
    Random random = new Random(7);
    for (int round = 0; round < 300; round++) {
      List<String> texts = IntStream.range(0, 4).mapToObj(_ -> word(random, 1, 5)).toList();
      String log = word(random, 200, 60).replace('d', '\n');
      List<Long> expected = new ArrayList<>();
      long begin = 1000;
      for (String line : log.split("\n", -1)) {
        int first = Integer.MAX_VALUE;
        for (String text : texts) {
          int at = line.indexOf(text);
          first = at < 0 ? first : Math.min(first, at);
        }
        if (first < Integer.MAX_VALUE) {
          expected.add(begin + first);
        }
        begin += line.length() + 1;
      }
      List<Long> most = expected.subList(0, Math.min(50, expected.size()));
      assertThat(matches(texts, false, log, 1 + random.nextInt(30))).isEqualTo(most);
    }
  }

  /** Texts consist of the letters a to c; the log also contains d. */
  private static String word(Random random, int least, int lengthRange) {
    int letters = least > 1 ? 4 : 3;
    StringBuilder word = new StringBuilder();
    for (int length = least + random.nextInt(lengthRange); length > 0; length--) {
      word.append((char) ('a' + random.nextInt(letters)));
    }
    return word.toString();
  }

  /** Comparing every text at every byte would take minutes. */
  @Test
  @Timeout(30)
  void matches_longTextsThatNearlyMatch_takesLinearTime() {
    List<String> texts =
        IntStream.range(0, 30)
            .mapToObj(i -> "y".repeat(190) + "abcdefghij".charAt(i % 10))
            .toList();
    assertThat(matches(texts, true, "y".repeat(16 * 1024 * 1024), 65_536)).isEmpty();
  }
}
