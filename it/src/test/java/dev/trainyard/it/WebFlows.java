package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Tests the web page in Chromium with a server of the real jar, using only visible elements. The
 * flows are in {@code it/src/test/web}; screenshots are written to {@code it/target/screenshots}.
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

  /** Runs the flows for an engine; long flows run only in the profile {@code full}. */
  void run(String engine, Path directory) throws Exception {
    Path output = directory.resolve("output");
    Path screenshots = Trainyard.CHECKOUT.resolve("it/target/screenshots").toAbsolutePath();
    String jar = Trainyard.JAR.toAbsolutePath().toString();
    ProcessBuilder builder =
        program
            .command("node", "run.mjs", jar, "chosen-admin-password", screenshots.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("ENGINE", engine);
    builder.environment().put("CHROMIUM", chromium.toString());
    builder.environment().put("FULL", System.getProperty("trainyard.full", "false"));
    builder.environment().put("CHECKOUT", Trainyard.CHECKOUT.toAbsolutePath().toString());
    builder.environment().put("TMPDIR", directory.toString());
    builder.environment().put("JAVA", ProcessHandle.current().info().command().orElse("java"));
    Process flows = builder.start();
    boolean ended = flows.waitFor(15, TimeUnit.MINUTES);
    if (!ended) {
      flows.descendants().forEach(ProcessHandle::destroy);
      flows.destroyForcibly();
    }
    String said = Files.readString(output);
    assertThat(ended).as(said).isTrue();
    assertThat(flows.exitValue()).as(said).isZero();
  }
}
