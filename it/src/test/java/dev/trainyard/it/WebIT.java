package dev.trainyard.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The page in a real Chromium against the real server, by what a person sees; the flows are in
 * {@code it/src/test/web/flows}. Screenshots are left in {@code it/target/screenshots}.
 */
// Not beside containers: a browser gives up what it loads when the machine's networks change.
@ResourceLock("docker")
class WebIT extends NeedsSandbox {
  private static final List<Path> CHROMIUM =
      List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

  private static NpmPackage program;
  private static Path chromium;

  @TempDir private Path directory;

  @BeforeAll
  static void install() throws Exception {
    chromium = CHROMIUM.stream().filter(Files::isExecutable).findFirst().orElse(null);
    Requirement.require("chromium", chromium != null, "no chromium");
    program = NpmPackage.install("web", "playwright-core");
  }

  @Test
  void page_doesWhatPeopleNeed() throws Exception {
    String password = "chosen-admin-password";
    Path output = directory.resolve("output");
    Path screenshots = Trainyard.CHECKOUT.resolve("it/target/screenshots").toAbsolutePath();
    try (Trainyard trainyard =
        Trainyard.start(directory.resolve("data"), Map.of("TRAINYARD_ADMIN_PASSWORD", password))) {
      ProcessBuilder browser =
          program
              .command("node", "run.mjs", trainyard.url(), password, screenshots.toString())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      browser.environment().put("CHROMIUM", chromium.toString());
      Process flows = browser.start();
      boolean ended = flows.waitFor(15, TimeUnit.MINUTES);
      flows.destroyForcibly();
      assertThat(ended).as(Files.readString(output)).isTrue();
      assertThat(flows.exitValue()).as(Files.readString(output)).isZero();
    }
  }
}
