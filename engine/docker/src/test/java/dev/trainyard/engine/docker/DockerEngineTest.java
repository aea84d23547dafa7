package dev.trainyard.engine.docker;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.EngineContract;
import java.nio.file.Path;
import java.util.Optional;

class DockerEngineTest extends EngineContract {
  @Override
  protected String image() {
    return TestImages.hostPrograms();
  }

  @Override
  protected Engine open(Path data) {
    return new DockerEngine(DockerEngineConfig.of(data, TestImages.connection(), Optional.empty()));
  }

  @Override
  protected void deleteData(Path data) {
    TestImages.removeNetworks(data);
  }
}
