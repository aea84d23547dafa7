package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the program {@code build/ExternalTests.java}, which lists the tests that CI runs while the
 * tools that they need are hidden.
 */
class ExternalTestsTest {
  private static final Path CHECKOUT = Path.of("../..");

  @TempDir static Path classes;
  @TempDir Path directory;

  @BeforeAll
  static void compile() {
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), "../../build/ExternalTests.java");
    assertThat(result).isZero();
  }

  private record Run(int exitCode, String output) {}

  private static Run run(String hidden, String kept, Path checkout) throws Exception {
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    Process process =
        new ProcessBuilder(
                java.toString(),
                "-cp",
                classes.toString(),
                "ExternalTests",
                hidden,
                kept,
                checkout.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  /** Otherwise the run of CI fails, but only at its end. */
  @Test
  void list_everyRequirementOfThisCheckout_isHiddenOrKept() throws Exception {
    String script = Files.readString(CHECKOUT.resolve("it/without-tools"));
    Run run = run(variable(script, "hidden"), variable(script, "kept"), CHECKOUT);
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output().lines())
        .contains(
            "dev.trainyard.it.DockerEscapeIT", "dev.trainyard.engine.docker.DockerEngineTest");
  }

  private static String variable(String script, String name) {
    Matcher assignment =
        Pattern.compile("^" + name + "=(\\S+)$", Pattern.MULTILINE).matcher(script);
    assertThat(assignment.find()).as(name).isTrue();
    return assignment.group(1);
  }

  @Test
  void list_unknownRequirement_fails() throws Exception {
    Path sources = Files.createDirectories(directory.resolve("module/src/test/java"));
    Files.createFile(directory.resolve("module/pom.xml"));
    write(sources, "OneTest", "docker");
    write(sources, "OtherTest", "root");
    assertThat(run("docker", "root", directory)).isEqualTo(new Run(0, "OneTest\n"));
    write(sources, "NewTest", "printer");
    Run run = run("docker", "root", directory);
    assertThat(run.exitCode()).isNotZero();
    assertThat(run.output()).contains("NewTest.java requires printer");
  }

  private static void write(Path sources, String name, String requirement) throws IOException {
    String statement = "Requirement.require(\"" + requirement + "\", false, \"\");";
    Files.writeString(
        sources.resolve(name + ".java"), "class " + name + " { void t() { " + statement + " } }");
  }
}
