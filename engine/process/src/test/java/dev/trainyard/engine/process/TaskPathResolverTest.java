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

class TaskPathResolverTest {
  @TempDir Path directory;
  private Path visibleDirectory;
  private TaskPathResolver resolver;

  @BeforeEach
  void createView() throws IOException {
    visibleDirectory = Files.createDirectory(directory.toRealPath().resolve("shown"));
    Files.createDirectories(visibleDirectory.resolve("real/deep"));
    Path hiddenDirectory = Files.createDirectories(visibleDirectory.resolve("hidden"));
    HostView view =
        new HostView(
            List.of(new HostView.OverlayDirectory(visibleDirectory)), List.of(hiddenDirectory));
    MountTable mounts = MountTable.parse(List.of("1 0 8:1 / / rw - ext4 /dev/sda rw"));
    CommonLayer common = new CommonLayer(directory.resolve("common"));
    resolver = new TaskPathResolver(new UserRoot(directory.resolve("task"), view, common, mounts));
  }

  private Path createLink(String name, String target) throws IOException {
    return Files.createSymbolicLink(visibleDirectory.resolve(name), Path.of(target));
  }

  @Test
  void resolve_missingPath_isUnchanged() throws IOException {
    assertThat(resolver.resolve("/new/place")).isEqualTo(Path.of("/new/place"));
    assertThat(resolver.resolve(visibleDirectory + "/new"))
        .isEqualTo(visibleDirectory.resolve("new"));
  }

  @Test
  void resolve_followsLinksInside() throws IOException {
    Path relative = createLink("relative", "real");
    Path absolute = createLink("absolute", visibleDirectory + "/real/../real/deep");

    assertThat(resolver.resolve(relative + "/x")).isEqualTo(visibleDirectory.resolve("real/x"));
    assertThat(resolver.resolve(absolute + "/x"))
        .isEqualTo(visibleDirectory.resolve("real/deep/x"));
  }

  @Test
  void resolve_rejectsLinksToInvisibleFiles() throws IOException {
    Files.createDirectory(directory.resolve("outside"));
    List<Path> links =
        List.of(
            createLink("out", directory.resolve("outside").toString()),
            createLink("gone", "nowhere"),
            createLink("secret", "hidden/inside"),
            createLink("loop", "loop"));
    Files.createDirectory(visibleDirectory.resolve("hidden/inside"));

    for (Path link : links) {
      assertThatThrownBy(() -> resolver.resolve(link + "/x")).isInstanceOf(IOException.class);
    }
  }

  @Test
  void resolve_rejectsFileAsParent() throws IOException {
    Files.createFile(visibleDirectory.resolve("file"));

    assertThatThrownBy(() -> resolver.resolve(visibleDirectory + "/file/x"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a directory");
  }
}
