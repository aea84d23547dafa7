package dev.trainyard.engine.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InsidePathTest {
  @TempDir Path directory;
  private Path shown;
  private InsidePath paths;

  @BeforeEach
  void makeView() throws IOException {
    shown = Files.createDirectory(directory.toRealPath().resolve("shown"));
    Files.createDirectories(shown.resolve("real/deep"));
    Path hidden = Files.createDirectories(shown.resolve("hidden"));
    HostView view = new HostView(List.of(new HostView.Layered(shown)), List.of(hidden));
    MountTable mounts = MountTable.parse(List.of("1 0 8:1 / / rw - ext4 /dev/sda rw"));
    CommonLayer common = new CommonLayer(directory.resolve("common"));
    paths = new InsidePath(new UserRoot(directory.resolve("task"), view, common, mounts));
  }

  private Path link(String name, String to) throws IOException {
    return Files.createSymbolicLink(shown.resolve(name), Path.of(to));
  }

  @Test
  void resolve_missingPathIsUnchanged() throws IOException {
    assertThat(paths.resolve("/new/place")).isEqualTo(Path.of("/new/place"));
    assertThat(paths.resolve(shown + "/new")).isEqualTo(shown.resolve("new"));
  }

  @Test
  void resolve_followsLinksInside() throws IOException {
    Path relative = link("relative", "real");
    Path absolute = link("absolute", shown + "/real/../real/deep");

    assertThat(paths.resolve(relative + "/x")).isEqualTo(shown.resolve("real/x"));
    assertThat(paths.resolve(absolute + "/x")).isEqualTo(shown.resolve("real/deep/x"));
  }

  @Test
  void resolve_rejectsLinksToInvisibleFiles() throws IOException {
    Files.createDirectory(directory.resolve("outside"));
    List<Path> links =
        List.of(
            link("out", directory.resolve("outside").toString()),
            link("gone", "nowhere"),
            link("secret", "hidden/inside"),
            link("loop", "loop"));
    Files.createDirectory(shown.resolve("hidden/inside"));

    for (Path link : links) {
      assertThatThrownBy(() -> paths.resolve(link + "/x")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void resolve_rejectsFileAsParent() throws IOException {
    Files.createFile(shown.resolve("file"));

    assertThatThrownBy(() -> paths.resolve(shown + "/file/x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a directory");
  }
}
