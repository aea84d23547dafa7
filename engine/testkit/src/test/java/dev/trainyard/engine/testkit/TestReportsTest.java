package dev.trainyard.engine.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the program {@code build/TestReports.java}, which CI uses to read the test reports of all
 * modules.
 */
class TestReportsTest {
  /** The report that Surefire 3.5.4 writes for a class template: all counts of the suite are 0. */
  private static final String CLASS_TEMPLATE_REPORT =
      """
      <testsuite name="db.StoreTest" tests="0" errors="0" skipped="0" failures="0">
        <testcase name="good(Db)" classname="db.StoreTest[1]" time="3.581">
          <system-err><![CDATA[<failure message="only printed"/>]]></system-err>
        </testcase>
        <testcase name="good(Db)" classname="db.StoreTest[2]" time="0.1"/>
        <testcase name="bad(Db)" classname="db.StoreTest[1]" time="0.253"/>
        <testcase name="bad(Db)" classname="db.StoreTest[2]" time="0.081">
          %s
        </testcase>
      </testsuite>
      """;

  @TempDir static Path classes;
  @TempDir Path directory;

  @BeforeAll
  static void compile() {
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", classes.toString(), "../../build/TestReports.java");
    assertThat(result).isZero();
  }

  private record Run(int exitCode, String output) {}

  private static Run run(String... arguments) throws IOException, InterruptedException {
    Path java = Path.of(System.getProperty("java.home"), "bin/java");
    List<String> command =
        new ArrayList<>(List.of(java.toString(), "-cp", classes.toString(), "TestReports"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Run(process.waitFor(), output);
  }

  private void report(String kind, String name, String text) throws IOException {
    Path reports = directory.resolve("module/target").resolve(kind);
    Files.createDirectories(reports);
    Files.writeString(reports.resolve("TEST-" + name + ".xml"), text);
  }

  @Test
  void totals_classTemplateWithAFailure_namesItAndFails() throws Exception {
    report(
        "surefire-reports",
        "db.StoreTest",
        CLASS_TEMPLATE_REPORT.formatted(
            "<failure message=\"x\" type=\"y\"><![CDATA[z]]></failure>"));
    report(
        "failsafe-reports",
        "it.HelloIT",
        """
        <testsuite name="it.HelloIT" tests="2" errors="1" skipped="1" failures="0">
          <testcase name="" classname="it.HelloIT"><error message="in AfterAll"/></testcase>
          <testcase name="a" classname="it.HelloIT"><skipped message="why"/></testcase>
        </testsuite>
        """);
    assertThat(run("totals", directory.toString()))
        .isEqualTo(
            new Run(
                1,
                """
                failed: it.HelloIT.: in AfterAll
                failed: db.StoreTest.bad(Db): x z
                3 passed, 2 failed, 1 skipped
                """));
  }

  @Test
  void totals_allPassed() throws Exception {
    report("surefire-reports", "db.StoreTest", CLASS_TEMPLATE_REPORT.formatted(""));
    assertThat(run("totals", directory.toString()))
        .isEqualTo(new Run(0, "4 passed, 0 failed, 0 skipped\n"));
  }

  @Test
  void totals_noReports_fails() throws Exception {
    assertThat(run("totals", directory.toString()).exitCode()).isEqualTo(1);
  }

  private static String skipped(String name, String message) {
    return """
    <testsuite name="%1$s" tests="1" errors="0" skipped="1" failures="0">
      <testcase name="" classname="%1$s">
        <skipped type="org.opentest4j.TestAbortedException"><![CDATA[%2$s]]></skipped>
      </testcase>
    </testsuite>
    """
        .formatted(name, message);
  }

  @Test
  void skipped_everyClass_fitsOnlyWithAHiddenRequirement() throws Exception {
    report("failsafe-reports", "A", skipped("it.A", "skipped, no docker: none runs"));
    report("failsafe-reports", "B", skipped("it.B", "skipped, no root: not root"));
    report("failsafe-reports", "C", "<testsuite><testcase name='c' classname='it.C'/></testsuite>");
    String directoryPath = directory.toString();
    assertThat(run("skipped", "docker,node", directoryPath, "it.A").exitCode()).isZero();
    Run failedRun =
        run("skipped", "docker,node", directoryPath, "it.A", "it.B", "it.C", "it.Missing");
    assertThat(failedRun.exitCode()).isEqualTo(1);
    assertThat(failedRun.output())
        .contains("it.B has no test", "it.C has no test", "it.Missing has no");
    assertThat(failedRun.output()).doesNotContain("it.A has").contains("1 of 4 test classes");
  }
}
