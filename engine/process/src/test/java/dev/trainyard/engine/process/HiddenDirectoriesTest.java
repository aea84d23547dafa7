package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class HiddenDirectoriesTest {
  private static final MountTable MOUNTS =
      MountTable.parse(
          List.of(
              "1 0 8:1 / / rw - ext4 /dev/sda rw",
              "2 1 8:1 /opt/yard/data /usr/share/same rw - ext4 /dev/sda rw",
              "3 1 8:1 /opt /usr/all rw - ext4 /dev/sda rw",
              "4 1 8:1 /opt/yard/data/home/alice /usr/alice rw - ext4 /dev/sda rw",
              "5 1 8:2 /opt/yard /usr/other rw - ext4 /dev/sdb rw"));

  @Test
  void of_dataDirectoryAtAllItsMounts() throws IOException {
    assertThat(HiddenDirectories.of(Path.of("/opt/yard/data"), List.of(), MOUNTS))
        .contains(
            Path.of("/opt/yard/data"),
            Path.of("/usr/share/same"),
            Path.of("/usr/all/yard/data"),
            Path.of("/usr/alice"),
            Path.of("/root"),
            Path.of("/home"))
        .noneMatch(path -> path.startsWith("/usr/other"));
  }

  @Test
  void of_directoriesOfContainerEngines() throws IOException {
    assertThat(HiddenDirectories.of(Path.of("/opt/yard/data"), List.of(), MOUNTS))
        .contains(
            Path.of("/var/lib/docker"),
            Path.of("/var/lib/containerd"),
            Path.of("/var/lib/containers"));
  }

  @Test
  void of_homesExceptSystemDirectories() throws IOException {
    assertThat(
            HiddenDirectories.of(
                Path.of("/data"),
                List.of("/usr/share", "/usr/sbin", "/", "nowhere", "/none"),
                MOUNTS))
        .contains(Path.of("/usr/share"))
        .doesNotContain(Path.of("/"), Path.of("/usr/sbin"), Path.of("/none"));
  }

  @Test
  void of_dataDirectoryIsSystemDirectory() {
    assertThatThrownBy(() -> HiddenDirectories.of(Path.of("/usr"), List.of(), MOUNTS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/usr");
  }
}
