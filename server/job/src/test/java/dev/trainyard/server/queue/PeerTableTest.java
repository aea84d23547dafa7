package dev.trainyard.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobFormat;
import dev.trainyard.model.JobSpec;
import dev.trainyard.model.PortRequest;
import dev.trainyard.model.RoleSpec;
import dev.trainyard.model.TaskResources;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PeerTableTest {
  private static JobSpec withLabels(int count) {
    TaskResources resources =
        new TaskResources(1, DataSize.ofMegabytes(100), DataSize.ofMegabytes(64), 0, "");
    List<PortRequest> ports =
        IntStream.range(0, count).mapToObj(i -> new PortRequest("p" + i, 0, 1)).toList();
    RoleSpec role = new RoleSpec("main", 1, resources, ports, "true", 1, 1);
    return new JobSpec(
        JobFormat.OPENPAI_V1,
        "job",
        "x",
        "default",
        0,
        "",
        "",
        "",
        "",
        Map.of(),
        0,
        0,
        List.of(role));
  }

  /** Searching label by label would take minutes. */
  @Test
  @Timeout(20)
  void fitsVariables_manyPortLabels_takesLinearTime() {
    assertThat(PeerTable.fitsVariables(withLabels(3))).isTrue();
    assertThat(PeerTable.fitsVariables(withLabels(200_000))).isFalse();
  }
}
