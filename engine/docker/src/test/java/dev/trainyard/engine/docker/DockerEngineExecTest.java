package dev.trainyard.engine.docker;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.testkit.ExecContract;
import java.nio.file.Path;
import java.util.Optional;

class DockerEngineExecTest extends ExecContract {
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
