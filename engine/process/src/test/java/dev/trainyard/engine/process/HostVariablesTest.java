package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.TaskSpec;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.TaskResources;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostVariablesTest {
  @Test
  void of_defaults() {
    assertThat(HostVariables.of(spec(Map.of("MY", "x"))))
        .containsEntry("HOME", "/userhome")
        .containsEntry("USER", "root")
        .containsEntry("LANG", "C.UTF-8")
        .containsEntry("PAI_WORK_DIR", "/userhome")
        .containsEntry("MY", "x")
        .hasEntrySatisfying("PATH", path -> assertThat(path).endsWith(":/usr/bin:/sbin:/bin"));
  }

  @Test
  void of_variablesOfTheTaskOverrideDefaults() {
    assertThat(HostVariables.of(spec(Map.of("HOME", "/root", "LANG", "de"))))
        .containsEntry("HOME", "/root")
        .containsEntry("LANG", "de")
        .containsEntry("USER", "root");
  }

  private static TaskSpec spec(Map<String, String> environment) {
    return new TaskSpec(
        new TaskId(new JobId("0".repeat(26)), 1, "main", 0),
        "alice",
        1,
        "main-0",
        "image",
        "true",
        environment,
        "/userhome",
        new TaskResources(1, DataSize.ofMegabytes(1), DataSize.ofMegabytes(1), 0, ""),
        List.of(),
        List.of(),
        List.of(),
        Map.of(),
        Path.of("/logs"),
        DataSize.ofMegabytes(1));
  }
}
