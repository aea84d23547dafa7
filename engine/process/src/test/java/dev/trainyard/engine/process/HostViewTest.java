package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.process.HostView.EmptyDirectory;
import dev.trainyard.engine.process.HostView.Link;
import dev.trainyard.engine.process.HostView.OverlayDirectory;
import dev.trainyard.engine.process.HostView.ReadOnlyDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostViewTest {
  private static final Path USR = Path.of("/usr");
  private static final Path ETC = Path.of("/etc");

  private final List<String> mounts =
      new ArrayList<>(List.of("1 0 8:1 / / rw,relatime - ext4 /dev/sda rw"));

  private HostView view(List<Path> hiddenView, boolean canOverlay) throws IOException {
    List<Path> topLevel = List.of(Path.of("/proc"), USR, ETC, Path.of("/root"));
    return HostView.of(topLevel, hiddenView, MountTable.parse(mounts), _ -> canOverlay);
  }

  @Test
  void of_directoriesGetALayer_kernelDirectoriesOmitted() throws IOException {
    assertThat(view(List.of(Path.of("/root")), true).parts())
        .containsExactly(
            new OverlayDirectory(ETC),
            new EmptyDirectory(Path.of("/root")),
            new OverlayDirectory(USR));
  }

  @Test
  void of_hiddenDirectoryIsLink() throws IOException {
    Path link = Path.of("/bin");
    HostView visibleView =
        HostView.of(List.of(link), List.of(), MountTable.parse(mounts), _ -> true);
    HostView hiddenView =
        HostView.of(List.of(link), List.of(link), MountTable.parse(mounts), _ -> true);

    if (Files.isSymbolicLink(link)) {
      assertThat(visibleView.parts()).containsExactly(new Link(link, Files.readSymbolicLink(link)));
    }
    assertThat(hiddenView.parts()).containsExactly(new EmptyDirectory(link));
  }

  @Test
  void of_mountsInside_shownIfOnDisk_otherwiseCovered() throws IOException {
    mounts.add("2 1 8:2 / /usr/lib rw - ext4 /dev/sdb rw");
    mounts.add("3 1 0:5 / /usr/bin rw - nfs server:/x rw");
    mounts.add("4 3 0:6 / /usr/bin/deep rw - tmpfs none rw");

    assertThat(view(List.of(), true).parts())
        .contains(
            new ReadOnlyDirectory(USR, List.of(Path.of("/usr/bin")), List.of(Path.of("/usr/lib"))));
  }

  @Test
  void of_hiddenDirectoriesAreCoveredWithoutLayer() throws IOException {
    assertThat(view(List.of(Path.of("/usr/lib"), Path.of("/usr/none")), false).parts())
        .contains(new ReadOnlyDirectory(USR, List.of(Path.of("/usr/lib")), List.of()));
  }

  @Test
  void of_foreignFileSystem_isEmpty() throws IOException {
    mounts.add("2 1 0:9 / /usr rw - nfs server:/x rw");

    assertThat(view(List.of(), true).parts()).contains(new EmptyDirectory(USR));
  }
}
