package dev.trainyard.model.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ExitReason;
import dev.trainyard.model.RetryBehavior;
import dev.trainyard.model.TaskEnd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class DiagnosisTest {
  /**
   * A section of the file logs.txt: title, exit code, expected kind of end, whether the diagnosis
   * is based on the log, and the log.
   */
  record Fixture(String title, int code, Exit exit, boolean fromLog, String log) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Fixture> fixtures() throws IOException {
    try (var in = DiagnosisTest.class.getResourceAsStream("logs.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Arrays.stream(text.split("(?m)^=== "))
          .filter(part -> !part.isEmpty())
          .map(DiagnosisTest::fixture);
    }
  }

  private static Fixture fixture(String section) {
    int end = section.indexOf('\n');
    String[] fields = section.substring(0, end).split(" \\| ", -1);
    return new Fixture(
        fields[0],
        Integer.parseInt(fields[1]),
        Exit.valueOf(fields[2]),
        fields[3].equals("yes"),
        section.substring(end + 1));
  }

  private static TaskEnd end(int code) {
    return new TaskEnd(
        code,
        code > 128 ? ExitReason.KILLED_BY_SIGNAL : ExitReason.COMMAND_FAILED,
        "",
        Instant.EPOCH);
  }

  private static Diagnosis diagnose(int code, String log) {
    byte[] bytes = log.getBytes(StandardCharsets.UTF_8);
    return Diagnosis.of(end(code), List.of(new LogTail("stderr", 0, bytes)));
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void of_log(Fixture fixture) {
    Diagnosis actual = diagnose(fixture.code(), fixture.log());
    assertThat(actual.exit()).as("%s", actual.lines()).isEqualTo(fixture.exit());
    assertThat(actual.isFromLog()).isEqualTo(fixture.fromLog());
    List<String> log = fixture.log().lines().toList();
    for (LogLine line : actual.lines()) {
      String original = log.get(line.number() - 1);
      assertThat(line.text()).isEqualTo(original.replaceAll("\u001b\\[[0-9;]*m", ""));
      assertThat(fixture.log().substring((int) line.offset())).startsWith(original);
    }
  }

  @Test
  void of_traceback_showsWhereItHappened() {
    Diagnosis actual =
        diagnose(
            1,
            """
            step 1
            Traceback (most recent call last):
              File "train.py", line 3, in <module>
                import apex
            ModuleNotFoundError: No module named 'apex'
            """);
    assertThat(actual.lines())
        .extracting(LogLine::text)
        .containsExactly(
            "  File \"train.py\", line 3, in <module>",
            "    import apex",
            "ModuleNotFoundError: No module named 'apex'");
    assertThat(actual.lines()).extracting(LogLine::number).containsExactly(3, 4, 5);
  }

  @Test
  void of_severalErrors_lastDecides() {
    assertThat(diagnose(1, "cp: x: Permission denied\ntar: y: No such file or directory\n").exit())
        .isEqualTo(Exit.FILE_MISSING);
  }

  @Test
  void of_twoStreams_returnsBetterExplanation() {
    LogTail err =
        new LogTail("stderr", 0, "Connection reset by peer\n".getBytes(StandardCharsets.UTF_8));
    LogTail out =
        new LogTail("stdout", 500, "x\nCUDA out of memory.\n".getBytes(StandardCharsets.UTF_8));
    Diagnosis actual = Diagnosis.of(end(1), List.of(err, out));
    assertThat(actual.exit()).isEqualTo(Exit.GPU_OUT_OF_MEMORY);
    assertThat(actual.lines())
        .containsExactly(new LogLine("stdout", 502, 0, "CUDA out of memory."));
  }

  @ParameterizedTest
  @EnumSource(
      value = ExitReason.class,
      names = {"COMMAND_FAILED", "KILLED_BY_SIGNAL"},
      mode = EnumSource.Mode.EXCLUDE)
  void of_failureKnownToPlatform_ignoresLog(ExitReason reason) {
    TaskEnd end = new TaskEnd(137, reason, "", Instant.EPOCH);
    LogTail log =
        new LogTail("stderr", 0, "uncorrectable ECC error\n".getBytes(StandardCharsets.UTF_8));
    assertThat(Diagnosis.of(end, List.of(log))).isEqualTo(Diagnosis.of(end));
    assertThat(Diagnosis.needsLog(end)).isFalse();
  }

  @Test
  void of_hugeLine_foundAndShortened() {
    String log =
        "x".repeat(100_000)
            + "\ud83d\ude00".repeat(300)
            + " CUDA out of memory "
            + "y".repeat(50_000);
    Diagnosis actual = diagnose(1, log);
    assertThat(actual.exit()).isEqualTo(Exit.GPU_OUT_OF_MEMORY);
    String text = actual.lines().getFirst().text();
    assertThat(text).hasSizeLessThan(310).contains("CUDA out of memory");
    assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(text)).isTrue();
  }

  @Test
  void of_progressBar_splitIntoLines() {
    assertThat(diagnose(1, "10%\r20%\rkilled\rCUDA out of memory.\r\n").lines())
        .containsExactly(new LogLine("stderr", 15, 1, "CUDA out of memory."));
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void of_mutatedLog_stillClassified(Fixture fixture) {
    Random random = new Random(fixture.title().hashCode());
    byte[] original = fixture.log().getBytes(StandardCharsets.UTF_8);
    for (int round = 0; round < 200; round++) {
      byte[] log = Arrays.copyOf(original, random.nextInt(original.length * 2));
      for (int i = random.nextInt(20); i > 0 && log.length > 0; i--) {
        log[random.nextInt(log.length)] = (byte) random.nextInt(256);
      }
      LogTail tail = new LogTail("stderr", random.nextInt(3), log);
      for (LogLine line : Diagnosis.of(end(fixture.code()), List.of(tail)).lines()) {
        assertThat(line.offset()).isBetween(tail.offset(), tail.offset() + log.length);
        assertThat(line.text()).doesNotContainPattern("\\p{Cntrl}");
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(line.text())).isTrue();
      }
    }
  }

  /** The time to scan a log is bounded, whatever it contains. */
  @Test
  void of_hostileLogs_boundedTime() {
    Random random = new Random(7);
    List<byte[]> logs = new ArrayList<>();
    byte[] noise = new byte[LogTail.MAX_BYTES];
    random.nextBytes(noise);
    logs.add(noise);
    for (String text :
        List.of(
            "\n",
            "\r",
            "[",
            "\u001b[",
            "\u001b[1",
            "aaaaaa\n",
            "cuda cuda cuda out of memor\n",
            "Traceback (most recent call last):\n",
            "Traceback (most recent call last):\n  \n",
            "  ModuleNotFoundErro\n",
            "\u0130\u0130\u0130\u0130\u0130\u0130\u0130",
            "ModuleNotFoundError:\n")) {
      logs.add(text.repeat(LogTail.MAX_BYTES / text.length()).getBytes(StandardCharsets.UTF_8));
    }
    for (byte[] log : logs) {
      LogTail tail = new LogTail("stderr", 9, log);
      long startNanos = System.nanoTime();
      Diagnosis actual = Diagnosis.of(end(1), List.of(tail, tail));
      assertThat(actual.lines()).hasSizeLessThan(5);
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
          .isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void restsOnLog_onlyDiagnosisFromLog_isTrue() {
    assertThat(diagnose(1, "uncorrectable ECC error").isFromLog()).isTrue();
    assertThat(diagnose(1, "uncorrectable ECC error").reaction()).isEqualTo(RetryBehavior.FREE);
    assertThat(Diagnosis.of(end(137)).reaction()).isEqualTo(RetryBehavior.COUNTED);
  }

  @Test
  void patterns_notShorterThanMinimum() {
    assertThat(LogPatterns.ALL)
        .allMatch(
            pattern ->
                pattern.requiredTexts().stream()
                    .anyMatch(piece -> piece.length() >= TailLines.MIN_LENGTH));
  }
}
