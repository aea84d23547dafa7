package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RealDirectoriesTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "home",
        "home/alice",
        "gshare",
        "logs",
        "jobs",
        "storages/users",
        "tasks",
        "bin",
        "deleted"
      })
  void require_link_rejected(String name) throws IOException {
    DataDirectory data = DataDirectory.open(directory.resolve("data"));
    Files.createDirectories(data.resolve(name).getParent());
    Files.createSymbolicLink(data.resolve(name), Path.of("/etc"));
    assertThatThrownBy(() -> RealDirectories.require(data))
        .isInstanceOf(AppException.class)
        .hasMessageContaining(data.resolve(name) + " is a symbolic link");
  }

  @Test
  void require_directoriesAndLinkedDatasets_accepted() throws IOException {
    DataDirectory data = DataDirectory.open(directory.resolve("data"));
    assertThatCode(() -> RealDirectories.require(data)).doesNotThrowAnyException();
    Files.createDirectories(data.resolve("home/alice"));
    Files.createSymbolicLink(data.resolve("home/alice/link"), Path.of("/etc"));
    Files.createSymbolicLink(data.resolve("gdata"), Path.of("/srv"));
    assertThatCode(() -> RealDirectories.require(data)).doesNotThrowAnyException();
  }
}
