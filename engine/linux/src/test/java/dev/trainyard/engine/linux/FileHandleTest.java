package dev.trainyard.engine.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileHandleTest {
  @TempDir Path directory;
  private Path root;

  @BeforeEach
  void create() throws IOException {
    root = Files.createDirectories(directory.resolve("root/sub")).getParent();
    Files.writeString(root.resolve("sub/file"), "inside");
    Files.createDirectory(directory.resolve("outside"));
    Files.writeString(directory.resolve("outside/file"), "secret");
  }

  private Optional<FileHandle.Kind> kind(String name) throws IOException {
    Optional<FileHandle> found = FileHandle.find(root, name);
    found.ifPresent(FileHandle::close);
    return found.map(handle -> handle.attributes().kind());
  }

  @Test
  void absent_kernelWithoutOpenat2_isNotReportedAsMissingFile() {
    assertThatThrownBy(() -> FileHandle.absent(new LinuxException("open", LinuxException.ENOSYS)))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo("error.no-openat2"));
    assertThat(Linux.canOpenInRoot()).isTrue();
    assertThat(FileHandle.absent(new LinuxException("open", LinuxException.EPERM))).isEmpty();
  }

  @Test
  void find_opensFilesAndDirectories() throws IOException {
    assertThat(kind("sub/file")).contains(FileHandle.Kind.FILE);
    assertThat(kind("sub")).contains(FileHandle.Kind.DIRECTORY);
    assertThat(kind("")).contains(FileHandle.Kind.DIRECTORY);
    assertThat(kind("missing")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../outside/file",
        "sub/../../outside/file",
        "link",
        "absolute",
        "sub/file\0",
        "sub\0/file",
        "sub/file/x",
        "loop"
      })
  void find_pathThatLeavesTheRoot_findsNothing(String name) throws IOException {
    Files.createSymbolicLink(root.resolve("link"), Path.of("../outside/file"));
    Files.createSymbolicLink(root.resolve("absolute"), directory.resolve("outside/file"));
    Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    assertThat(kind(name)).isEmpty();
  }

  @Test
  void find_tooLongName_findsNothing() throws IOException {
    assertThat(kind("x".repeat(256))).isEmpty();
    Files.createFile(root.resolve("x".repeat(255)));
    assertThat(kind("x".repeat(255))).contains(FileHandle.Kind.FILE);
  }

  @Test
  void find_linkInsideTheRoot_isFollowed() throws IOException {
    Files.createSymbolicLink(root.resolve("link"), Path.of("sub"));
    assertThat(kind("link/file")).contains(FileHandle.Kind.FILE);
  }

  @Test
  @Timeout(20)
  void find_linkSwappedDuringOpen_neverLeavesTheRoot() throws Exception {
    Path swapped = root.resolve("swapped");
    AtomicBoolean stopped = new AtomicBoolean();
    Thread swapper =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    while (!stopped.get()) {
                      Files.createSymbolicLink(swapped, Path.of("../outside"));
                      Files.delete(swapped);
                      Files.createSymbolicLink(swapped, Path.of("sub"));
                      Files.delete(swapped);
                    }
                  } catch (IOException e) {
                    throw new IllegalStateException(e);
                  }
                });
    try {
      for (int i = 0; i < 5_000; i++) {
        Optional<FileHandle> found = FileHandle.find(root, "swapped/file");
        if (found.isPresent()) {
          try (FileHandle handle = found.get()) {
            assertThat(Files.readString(handle.path())).isEqualTo("inside");
          }
        }
      }
    } finally {
      stopped.set(true);
      swapper.join();
    }
  }

  @Test
  @Timeout(20)
  void find_pipe_isNotOpenedForReading() throws Exception {
    int exitCode = new ProcessBuilder("mkfifo", root.resolve("pipe").toString()).start().waitFor();
    assertThat(exitCode).isZero();
    assertThat(kind("pipe")).contains(FileHandle.Kind.OTHER);
  }

  @Test
  void of_link_isTheLinkItself() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("link"), Path.of("sub"));
    try (FileHandle handle = FileHandle.of(link)) {
      assertThat(handle.attributes().kind()).isEqualTo(FileHandle.Kind.LINK);
    }
    assertThatThrownBy(() -> FileHandle.of(root.resolve("missing")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void of_replacedFile_staysTheSameFile() throws IOException {
    Path file = root.resolve("sub/file");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
    try (FileHandle handle = FileHandle.of(file)) {
      Files.delete(file);
      Files.writeString(file, "another");
      try (FileChannel channel = TaskWrittenFile.openForReading(handle.path())) {
        assertThat(channel.size()).isEqualTo("inside".length());
      }
      assertThat(handle.attributes().permissions()).isEqualTo(0640);
    }
  }
}
