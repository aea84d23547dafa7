package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MountTableTest {
  @Test
  void softwareFileSystems_includesOnlyExistingDiskMounts() {
    MountTable table =
        MountTable.parse(
            List.of(
                "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw",
                "28 27 254:1 / /usr rw,relatime shared:3 - xfs /dev/vdb rw",
                "29 27 254:2 / /home rw - ext4 /dev/vdc rw",
                "30 27 0:25 / /opt rw - tmpfs tmpfs rw",
                "31 27 0:26 / /usr/nowhere/at/all rw - ext4 /dev/vdd rw"));

    assertThat(table.softwareFileSystems(Path.of("/data")))
        .containsExactly(Path.of("/"), Path.of("/usr"));
  }

  @Test
  void parse_escapedBlanksAndOptionalFields() {
    MountTable table =
        MountTable.parse(
            List.of(
                "41 31 0:38 / /mnt/my\\040disk rw shared:1 master:2 - cgroup c rw,cpu,cpuacct"));

    assertThat(table.mounts().getFirst().mountPoint()).isEqualTo(Path.of("/mnt/my disk"));
    assertThat(table.mounts().getFirst().options()).contains("cpu");
  }
}
