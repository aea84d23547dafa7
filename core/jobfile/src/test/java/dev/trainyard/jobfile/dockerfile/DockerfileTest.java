package dev.trainyard.jobfile.dockerfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ImageSettings;
import dev.trainyard.model.Messages;
import dev.trainyard.model.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DockerfileTest {
  private static final ContextFiles FILES = files("main.py", "lib/a.py", "lib/b.py", ".env");

  private static ContextFiles files(String... paths) {
    return new ContextFiles() {
      @Override
      public Optional<Boolean> isDirectory(String path) {
        if (List.of(paths).contains(path)) {
          return Optional.of(false);
        }
        boolean isParent =
            path.isEmpty()
                || List.of(paths).stream().anyMatch(candidate -> candidate.startsWith(path + "/"));
        return isParent ? Optional.of(true) : Optional.empty();
      }

      @Override
      public void each(Predicate<String> visitor) {
        boolean _ = List.of(paths).stream().allMatch(visitor);
      }
    };
  }

  private static Dockerfile parse(String text) {
    Dockerfile.Parsed result = Dockerfile.parse(text);
    assertThat(result.problems()).isEmpty();
    return result.dockerfile().orElseThrow();
  }

  private static ImageSettings settings(String text) {
    return BuildPlan.of(parse(text), Map.of(), Optional.of(ImageSettings.NONE), FILES).settings();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      value = {
        "RUN true § 1 § only ARG is allowed before FROM",
        "FROM a\\nFROM b § 2 § a second FROM",
        "FROM scratch § 1 § needs? a shell|need a shell",
        "FROM --platform=x a § 1 § --platform of FROM",
        "FROM a b § 1 § expected FROM IMAGE",
        "FROM a\\nRUM x § 2 § unknown Dockerfile instruction RUM",
        "FROM a\\n\\n# c\\nCOPY --from=x a b § 4 § only files of the build directory",
        "FROM a\\nCOPY a § 2 § SOURCE",
        "FROM a\\nADD http://x/y /y § 2 § ADD with a URL",
        "FROM a\\nADD x.tar.gz / § 2 § unpack",
        "FROM a\\nRUN --mount=type=cache x § 2 § --mount of RUN",
        "FROM a\\nENV x § 2 § NAME=VALUE",
        "FROM a\\nSHELL bash § 2 § expected a list",
        "FROM a\\nONBUILD RUN x § 2 § ONBUILD",
        "FROM a\\nRUN <<EOF\\necho § 2 § not terminated by a line EOF",
        "FROM a\\nRUN § 2 § has no arguments",
        "# nothing § 1 § missing FROM",
        "# escape=`\\nFROM a § 1 § escape",
      })
  void parse_problems(String text, int line, String expectedPattern) {
    Dockerfile.Parsed result = Dockerfile.parse(text.replace("\\n", "\n"));
    assertThat(result.dockerfile()).isEmpty();
    assertThat(result.problems()).hasSize(1);
    Problem problem = result.problems().getFirst();
    assertThat(problem.line()).isEqualTo(line);
    assertThat(problem.message().english()).containsPattern(expectedPattern);
    assertThat(Messages.CHINESE.text(problem.message())).doesNotContain("{");
  }

  @Test
  void parse_reportsEveryProblem() {
    assertThat(Dockerfile.parse("FROM a\nX\nCOPY a\nFROM b\n").problems())
        .extracting(Problem::line)
        .containsExactly(2, 3, 4);
  }

  @Test
  void base_ofArguments() {
    Dockerfile file = parse("ARG TAG=1\nARG BASE=a:${TAG}\nFROM $BASE AS x\nRUN true\n");
    assertThat(file.baseImage(Map.of())).isEqualTo("a:1");
    assertThat(file.baseImage(Map.of("TAG", "2"))).isEqualTo("a:2");
    assertThat(file.baseImage(Map.of("BASE", "b"))).isEqualTo("b");
    assertThat(file.undeclaredArguments(Map.of("TAG", "", "OTHER", "", "http_proxy", "").keySet()))
        .containsExactly("OTHER");
  }

  /** A shell prints the same values; with the colon, an empty variable counts as unset. */
  @Test
  void variables_withoutColon_emptyCountsAsSet() {
    String text =
        """
        FROM x
        ENV EMPTY="" FULL=full
        ENV A=[${EMPTY-other}] B=[${EMPTY:-other}] C=[${UNSET-other}] D=[${FULL-other}]
        ENV E=[${EMPTY+other}] F=[${EMPTY:+other}] G=[${UNSET+other}] H=[${FULL+other}]
        """;
    assertThat(
            BuildPlan.of(parse(text), Map.of(), Optional.of(ImageSettings.NONE), FILES)
                .settings()
                .environment())
        .containsEntry("A", "[]")
        .containsEntry("B", "[other]")
        .containsEntry("C", "[other]")
        .containsEntry("D", "[full]")
        .containsEntry("E", "[other]")
        .containsEntry("F", "[]")
        .containsEntry("G", "[]")
        .containsEntry("H", "[other]");
  }

  @Test
  void settings_extendSettingsOfBase() {
    ImageSettings base =
        new ImageSettings(
            Map.of("PATH", "/bin"),
            "app",
            "/srv",
            List.of("/old"),
            List.of("arg"),
            Map.of("a", "1"),
            List.of("1/tcp"),
            List.of(),
            "",
            List.of());
    String text =
        """
        FROM x
        ENV PATH=$PATH:/opt/bin B="two words" C='$PATH' D=${NO:-other}${B:+!}
        ENV OLD form of it
        WORKDIR sub
        USER 1000:7
        LABEL b="2 3" "c d"=4
        EXPOSE 80 90/udp
        VOLUME ["/data"]
        STOPSIGNAL SIGINT
        ENTRYPOINT ["/run.sh", "$B"]
        CMD serve $B
        """;
    ImageSettings imageSettings =
        BuildPlan.of(parse(text), Map.of(), Optional.of(base), FILES).settings();
    assertThat(imageSettings.environment())
        .containsEntry("PATH", "/bin:/opt/bin")
        .containsEntry("B", "two words")
        .containsEntry("C", "$PATH")
        .containsEntry("D", "other!")
        .containsEntry("OLD", "form of it");
    assertThat(imageSettings.workingDirectory()).isEqualTo("/srv/sub");
    assertThat(imageSettings.user()).isEqualTo("1000:7");
    assertThat(imageSettings.labels()).containsEntry("a", "1").containsEntry("b", "2 3");
    assertThat(imageSettings.labels()).containsEntry("c d", "4");
    assertThat(imageSettings.ports()).containsExactly("1/tcp", "80/tcp", "90/udp");
    assertThat(imageSettings.volumes()).containsExactly("/data");
    assertThat(imageSettings.stopSignal()).isEqualTo("SIGINT");
    assertThat(imageSettings.entrypoint()).containsExactly("/run.sh", "$B");
    assertThat(imageSettings.command()).containsExactly("/bin/sh", "-c", "serve $B");
  }

  @Test
  void settings_entrypoint_clearsCommandOfBase() {
    ImageSettings base =
        new ImageSettings(
            Map.of(),
            "",
            "",
            List.of(),
            List.of("x"),
            Map.of(),
            List.of(),
            List.of(),
            "",
            List.of());
    Dockerfile file = parse("FROM x\nENTRYPOINT [\"/a\"]\n");
    assertThat(BuildPlan.of(file, Map.of(), Optional.of(base), FILES).settings().command())
        .isEmpty();
    assertThat(settings("FROM x\nSHELL [\"/bin/bash\", \"-c\"]\nCMD a\n").command())
        .containsExactly("/bin/bash", "-c", "a");
    assertThat(settings("FROM x\nARG SECRET=1\nARG A\n").environment()).isEmpty();
  }

  @Test
  void copy_problems() {
    String text =
        "FROM x\nCOPY nothing /a\nCOPY ../x /a\nCOPY lib/*.py /a\nCOPY *.c /a/\nCOPY $V/x /a\n";
    List<Problem> problemsWithoutBase =
        BuildPlan.of(parse(text), Map.of(), Optional.empty(), FILES).problems();
    assertThat(problemsWithoutBase).extracting(Problem::line).containsExactly(2, 3, 4, 5);
    List<Problem> problemsWithBase =
        BuildPlan.of(parse(text), Map.of(), Optional.of(ImageSettings.NONE), FILES).problems();
    assertThat(problemsWithBase).extracting(Problem::line).containsExactly(2, 3, 4, 5, 6);
  }

  /** Runs the script in a shell of this node; its steps are harmless. */
  @Test
  void script_run() throws IOException, InterruptedException {
    String text =
        """
        FROM x
        ARG GREETING="it's"
        ENV NAME="wor ld"
        WORKDIR /tmp
        RUN echo "$GREETING $NAME" && \\
            # a remark
            pwd
        RUN ["/bin/echo", "$NAME", "a b"]
        RUN <<EOF
        echo one
        echo 'two'
        EOF
        RUN cat <<X; echo after
        $NAME
        X
        RUN exit 7
        RUN echo never
        """;
    BuildPlan.Outcome plan =
        BuildPlan.of(parse(text), Map.of(), Optional.of(ImageSettings.NONE), FILES);
    Process shell = new ProcessBuilder("sh", "-s").redirectErrorStream(true).start();
    try (var in = shell.getOutputStream()) {
      in.write(plan.script().getBytes(StandardCharsets.UTF_8));
    }
    String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).isEqualTo(7);
    assertThat(output)
        .contains("Step 1/10 : FROM x\n", "it's wor ld\n/tmp\n", "$NAME a b\n", "one\ntwo\n")
        .contains("wor ld\nafter\n", "The command '/bin/sh -c exit 7' returned a non-zero code: 7")
        .doesNotContain("never");
  }

  @ParameterizedTest
  @CsvSource({
    "*.py, main.py, true",
    "*.py, lib/a.py, false",
    "**/*.py, lib/a.py, true",
    "**/*.py, main.py, true",
    "lib, lib/a.py, true",
    "l?b/[a-b].py, lib/b.py, true",
    "./lib/, lib/a.py, true",
    "a.b, axb, false",
    "**, any/thing, true",
    "a/**/b, a/b, true",
    "a/**/b, a/x/y/b, true",
    "a/**/b, a/xb, false",
    "x**, x/y/z, true",
    "*, '', true",
    "*a*, lib/a, false",
    "[^a-c]x, dx, true",
    "[^a-c]x, bx, false",
    "[z-a]x, zx, false",
    "'[a-]', -, true",
    "\\*, *, true",
    "\\*, x, false",
    "?, 😀, true",
    "[, x, false"
  })
  void covers_examples(String pattern, String path, boolean expected) {
    assertThat(PathPattern.of(pattern).covers(path)).isEqualTo(expected);
  }

  /** A regular expression for this pattern would backtrack too long. */
  @Test
  void pattern_manyStars_terminates() {
    String name = "a".repeat(250);
    PathPattern hostile = PathPattern.of("*a".repeat(60) + "*b");
    assertThat(hostile.matches(name)).isFalse();
    assertThat(hostile.matches(name + "b")).isTrue();
    PathPattern deep = PathPattern.of("**/a/".repeat(60) + "b");
    assertThat(deep.covers("a/".repeat(500) + "c")).isFalse();
    assertThat(deep.covers("a/".repeat(500) + "b/c")).isTrue();
  }

  /** Returns an endless sequence of files, which is read until the visitor returns false. */
  private static ContextFiles endlessFiles(String name) {
    return new ContextFiles() {
      @Override
      public Optional<Boolean> isDirectory(String path) {
        return path.endsWith(name) ? Optional.of(false) : Optional.empty();
      }

      @Override
      public void each(Predicate<String> visitor) {
        boolean _ = IntStream.iterate(0, i -> i + 1).mapToObj(i -> i + name).allMatch(visitor);
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"*", "*.none", "?*?*?*?*?*?*[0-9]*.none"})
  void copy_expensivePatterns_rejected(String pattern) {
    Dockerfile dockerfile = parse("FROM a\nCOPY " + pattern + " /to/\nCOPY *.other /to/\n");
    List<Problem> problems =
        BuildPlan.of(
                dockerfile,
                Map.of(),
                Optional.of(ImageSettings.NONE),
                endlessFiles("a".repeat(100) + ".py"))
            .problems();
    assertThat(problems)
        .extracting(problem -> problem.message().code())
        .containsExactly("dockerfile.copy-much", "dockerfile.copy-much");
  }
}
