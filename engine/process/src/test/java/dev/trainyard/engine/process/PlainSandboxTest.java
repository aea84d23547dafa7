package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.EngineContract;
import dev.trainyard.model.Message;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contract tests without a sandbox. */
class PlainSandboxTest extends EngineContract {
  private static final Message MISSING =
      Message.of("notice.missing-sandbox", "problem", "p").with("remedy", "sysctl x=1");

  @BeforeAll
  static void skipAsRoot() {
    Assumptions.assumeFalse(RealEngine.IS_ROOT, "tasks never run as root without a sandbox");
  }

  @Override
  @Test
  @Disabled("without a sandbox, tasks use the host's /etc/hosts")
  protected void start_writesTheHosts() {}

  @Override
  protected Engine open(Path data) {
    ProcessEngineConfig config = new ProcessEngineConfig(data, Optional.empty(), "/nonexistent");
    Message refusal = Message.of("error.no-sandbox");
    return new ProcessEngine(
        config,
        EngineEnvironment.open(
            config,
            (_, _, tools, supervisorLauncher) ->
                new PlainSandbox(
                    tools,
                    supervisorLauncher,
                    SharedMemorySecrets.of(data),
                    user -> user.equals("alice"),
                    refusal,
                    MISSING)));
  }

  @Test
  void missingSandbox_hasTheRemedy(@TempDir Path data) {
    try (Engine engine = open(data)) {
      assertThat(engine.missingSandbox().orElseThrow().english())
          .contains("tasks see the files of the host", "Remedy: sysctl x=1");
    }
  }
}
