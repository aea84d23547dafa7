package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code ./trainyard} in a fresh copy of the sources whose path contains a space. */
@Tag("long")
class LauncherIT extends NeedsSandbox {
  @TempDir static Path directory;
  private static Path copy;

  record Run(int exitCode, String output) {}

  @BeforeAll
  static void copySources() throws Exception {
    copy = directory.resolve("a copy");
    assertThat(
            shell(Trainyard.CHECKOUT, Map.of(), "git clone -q . \"$0\"", copy.toString())
                .exitCode())
        .isZero();
    // Includes uncommitted changes, because the test would otherwise use the sources of the last
    // commit.
    shell(
        Trainyard.CHECKOUT,
        Map.of(),
        "git ls-files -z -mo --exclude-standard | xargs -0r cp --parents -t \"$0\"",
        copy.toString());
  }

  private static Run shell(
      Path where, Map<String, String> environment, String script, String... arguments)
      throws Exception {
    var command = new java.util.ArrayList<>(List.of("bash", "-c", script));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(where.toFile());
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  private static Run launch(String arguments) throws Exception {
    return shell(copy, Map.of("LC_ALL", "C.UTF-8"), "./trainyard " + arguments);
  }

  @Test
  void launcher_buildsOnFirstUseAndAfterChanges() throws Exception {
    Run first = launch("version");
    assertThat(first.exitCode()).as(first.output()).isZero();
    assertThat(first.output()).containsIgnoringCase("build").contains("0.1.0");
    Run second = launch("version");
    assertThat(second.output()).doesNotContainIgnoringCase("build").contains("0.1.0");
    Files.setLastModifiedTime(
        copy.resolve("core/model/src/main/java/dev/trainyard/model/JobId.java"),
        FileTime.from(Instant.now().plusSeconds(5)));
    assertThat(firstOutput("version")).containsIgnoringCase("build");
  }

  /**
   * Returns the first output. Does not wait for the build because the first launch has tested a
   * complete build.
   */
  private static String firstOutput(String arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", "exec ./trainyard " + arguments)
            .directory(copy.toFile())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    String words = process.inputReader(StandardCharsets.UTF_8).readLine();
    process.destroy(); // the launcher terminates its build
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return words;
  }

  @Test
  void launcher_noSuitableJdk_printsOneSentence() throws Exception {
    Run run =
        shell(
            copy,
            Map.of("LC_ALL", "C.UTF-8"),
            "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /usr/lib/jvm; unset"
                + " JAVA_HOME; HOME=/nonexistent PATH=/usr/bin:/bin ./trainyard version'");
    assertThat(run.exitCode()).isNotZero();
    assertThat(run.output().strip().lines().toList()).hasSize(1);
    assertThat(run.output()).contains("JDK 25");
  }
}
