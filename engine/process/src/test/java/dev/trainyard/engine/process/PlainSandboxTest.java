package dev.trainyard.engine.process;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.EngineContract;
import dev.trainyard.model.Message;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Also without a sandbox tasks run once, stop, and are found again. */
class PlainSandboxTest extends EngineContract {
  @BeforeAll
  static void notAsRoot() {
    Assumptions.assumeFalse(RealEngine.ROOT, "nothing is ever run as root without a sandbox");
  }

  @Override
  @Test
  @Disabled("the machine's own /etc/hosts is all there is without a sandbox")
  protected void start_writesTheHosts() {}

  @Override
  protected Engine open(Path data) {
    ProcessEngineConfig config = new ProcessEngineConfig(data, Optional.empty(), "/nonexistent");
    Message refusal = Message.of("error.no-sandbox");
    return new ProcessEngine(
        config,
        EngineEnvironment.open(
            config,
            (_, _, tools, supervision) ->
                new PlainSandbox(
                    tools,
                    supervision,
                    SharedMemory.of(data),
                    user -> user.equals("alice"),
                    refusal)));
  }
}
