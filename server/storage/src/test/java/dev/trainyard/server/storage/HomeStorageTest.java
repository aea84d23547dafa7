package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.RawName;
import dev.trainyard.engine.linux.VolumeSource;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class HomeStorageTest extends StorageContract {
  private Storage storage;

  @Override
  Storage storage() {
    if (storage == null) {
      storage = storages(data).load("home");
    }
    return storage;
  }

  /** Returns the storages as an engine of this account prepares them. */
  static PlatformStorages storages(Path data) {
    boolean isRoot = StorageRoots.isRoot();
    return new PlatformStorages(
        new StorageDirectories(data),
        (volume, idRange) -> {
          try {
            if (isRoot) {
              VolumeSource.prepare(volume, IdRange.of(idRange));
            } else {
              Files.createDirectories(volume.source());
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        },
        isRoot,
        InstantSource.system());
  }

  @Override
  Path directory() {
    return data.resolve("home/alice");
  }

  @Test
  void files_otherUsersDoNotSeeThem() throws IOException {
    write("file", "secret");
    assertThat(names(BOB, "")).isEmpty();
    assertFails(ErrorCode.NOT_FOUND, () -> read(BOB, "file"));
  }

  @Test
  void open_newHome_belongsToTheIdRange() throws IOException {
    assumeTrue(StorageRoots.isRoot(), "only root can change owners");
    write("a/file", "text");
    int base = IdRange.of(ALICE.idRange()).base();
    for (String name : new String[] {"", "a", "a/file"}) {
      Path file = directory().resolve(name);
      assertThat(Files.getAttribute(file, "unix:uid")).isEqualTo(base);
      assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(base);
    }
    assertThat(Files.readAttributes(directory(), "unix:mode").get("mode")).isEqualTo(0040700);
  }

  @Test
  void open_homeOfAnotherUser_isRejected() throws IOException {
    assumeTrue(StorageRoots.isRoot(), "only root can change owners");
    Files.createDirectories(directory());
    Files.setAttribute(directory(), "unix:uid", IdRange.of(BOB.idRange()).base());
    assertFails(ErrorCode.CONFLICT, () -> names(ALICE, ""));
  }

  @Test
  void write_directoryOfTheAdministrator_isRejected() throws IOException {
    assumeTrue(StorageRoots.isRoot(), "root decides instead of the kernel");
    names(ALICE, "");
    Path managed = Files.createDirectory(directory().resolve("managed"));
    Files.writeString(managed.resolve("secret"), "secret");
    Files.setAttribute(managed.resolve("secret"), "unix:mode", 0600);
    assertFails(ErrorCode.FORBIDDEN, () -> write("managed/file", "text"));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().delete(ALICE, path("managed/secret"), false));
    assertFails(ErrorCode.FORBIDDEN, () -> read(ALICE, "managed/secret"));
    assertThat(names(ALICE, "managed")).containsExactly("secret");
  }

  @Test
  void list_invalidName_isMarked() throws IOException {
    names(ALICE, "");
    Files.createFile(directory().resolve(RawName.path("\u00ff\u0080")));
    assertThat(storage().list(ALICE, path(""), "", 10).entries())
        .singleElement()
        .satisfies(entry -> assertThat(entry.text()).isFalse());
  }
}
