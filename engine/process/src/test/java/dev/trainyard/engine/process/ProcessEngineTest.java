package dev.trainyard.engine.process;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.EngineContract;
import java.nio.file.Path;
import java.util.Optional;

class ProcessEngineTest extends EngineContract {
  @Override
  protected Engine open(Path data) {
    RealEngine.requireSandbox();
    return new ProcessEngine(new ProcessEngineConfig(data, Optional.empty(), "/nonexistent"));
  }
}
