package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetStorageTest {
  @TempDir Path data;
  private Storage storage;

  @BeforeEach
  void create() throws IOException {
    Path version = Files.createDirectories(data.resolve("gdata/digits/v1"));
    Files.writeString(version.resolve("train"), "data");
    Files.createSymbolicLink(data.resolve("gdata/digits/latest"), Path.of("v1"));
    storage = HomeStorageTest.storages(data).load("gdata");
  }

  @Test
  void open_linkInTheDataset_isFollowed() throws IOException {
    StoragePath path = StoragePath.parse("digits/latest/train");
    try (var file = storage.open(StorageContract.ALICE, path)) {
      assertThat(Files.readString(file.path())).isEqualTo("data");
    }
  }

  @Test
  void change_isRejected() {
    StorageUser alice = StorageContract.ALICE;
    StoragePath file = StoragePath.parse("digits/v1/train");
    StoragePath other = StoragePath.parse("digits/other");
    StorageContract.assertFails(ErrorCode.FORBIDDEN, () -> storage.write(alice, file, true));
    StorageContract.assertFails(ErrorCode.FORBIDDEN, () -> storage.delete(alice, file, true));
    StorageContract.assertFails(ErrorCode.FORBIDDEN, () -> storage.move(alice, file, other, false));
    StorageContract.assertFails(ErrorCode.FORBIDDEN, () -> storage.createDirectory(alice, other));
    assertThat(data.resolve("gdata/digits/v1/train")).hasContent("data");
  }
}
