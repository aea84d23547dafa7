package dev.trainyard.engine.process;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.ExecContract;
import java.nio.file.Path;
import java.util.Optional;

class ProcessEngineExecTest extends ExecContract {
  @Override
  protected Engine open(Path data) {
    RealEngine.requireSandbox();
    return new ProcessEngine(new ProcessEngineConfig(data, Optional.empty(), "/nonexistent"));
  }
}
