package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Tests the web page in Chromium with a server that runs from the real jar, using only visible
 * elements. The flows are in {@code it/src/test/web}; screenshots are written to {@code
 * it/target/screenshots}.
 */
final class WebFlows {
  private static final List<Path> CHROMIUM =
      List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

  private final NpmPackage program;
  private final Path chromium;

  private WebFlows(NpmPackage program, Path chromium) {
    this.program = program;
    this.chromium = chromium;
  }

  static WebFlows install() throws Exception {
    Path chromium = CHROMIUM.stream().filter(Files::isExecutable).findFirst().orElse(null);
    Requirement.require("chromium", chromium != null, "no chromium");
    NpmPackage.install("oidc", "oidc-provider"); // some flows sign in there
    return new WebFlows(NpmPackage.install("web", "playwright-core"), chromium);
  }

  /**
   * Starts the flows for an engine and returns a test case for each flow in each language. Long
   * flows run only in the profile {@code full}.
   */
  Stream<DynamicTest> start(String engine, Path directory) throws Exception {
    Path screenshots = Trainyard.CHECKOUT.resolve("it/target/screenshots").toAbsolutePath();
    String jar = Trainyard.JAR.toAbsolutePath().toString();
    boolean full = Boolean.getBoolean("trainyard.full");
    ProcessBuilder builder =
        program
            .command("node", "run.mjs", jar, "chosen-admin-password", screenshots.toString())
            .redirectErrorStream(true);
    builder.environment().put("RESULTS", "json");
    builder.environment().put("ENGINE", engine);
    builder.environment().put("CHROMIUM", chromium.toString());
    builder.environment().put("FULL", Boolean.toString(full));
    builder.environment().put("CHECKOUT", Trainyard.CHECKOUT.toAbsolutePath().toString());
    builder.environment().put("TMPDIR", directory.toString());
    builder.environment().put("JAVA", ProcessHandle.current().info().command().orElse("java"));
    Process process = builder.start();
    CompletableFuture.delayedExecutor(30, TimeUnit.MINUTES).execute(() -> end(process));
    String flows = engine.equals("docker") ? "docker-flows" : "flows";
    return new FlowRun(process.inputReader(), filesOf(flows), full)
        .testCases()
        .onClose(() -> end(process));
  }

  private static Set<String> filesOf(String flows) throws IOException {
    Path sources = Trainyard.CHECKOUT.resolve("it/src/test/web").resolve(flows);
    try (Stream<Path> files = Files.list(sources)) {
      return files.map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    }
  }

  /** Terminates the program if it is still running. Flows without a result then fail. */
  private static void end(Process process) {
    if (process.isAlive()) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroyForcibly();
    }
  }
}
