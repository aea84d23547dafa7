package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SharedStorageTest extends StorageContract {
  @Override
  Storage storage() {
    return HomeStorageTest.storages(data).load("gshare");
  }

  @Override
  Path directory() {
    return data.resolve("gshare");
  }

  @Test
  void write_otherUsersReadTheFile() throws IOException {
    write("a/file", "text");
    assertThat(read(BOB, "a/file")).isEqualTo("text");
  }

  @Test
  void change_filesOfOtherUsers_isRejected() throws IOException {
    assumeTrue(StorageRoots.isRoot(), "without root, all files belong to one account");
    write("a/file", "text");
    write("top", "text");
    assertFails(ErrorCode.FORBIDDEN, () -> write(BOB, "top", "bob", true));
    assertFails(ErrorCode.FORBIDDEN, () -> write(BOB, "a/new", "bob", false));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().delete(BOB, path("a"), true));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().delete(BOB, path("top"), false));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().move(BOB, path("top"), path("bobs"), false));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().createDirectory(BOB, path("a/b")));
    assertThat(read(ALICE, "a/file")).isEqualTo("text");
    assertThat(Files.getAttribute(directory().resolve("a/file"), "unix:uid"))
        .isEqualTo(IdRange.of(ALICE.idRange()).base());
  }

  @Test
  void delete_treeWithDirectoryOfAnotherUser_isRejected() throws IOException {
    assumeTrue(StorageRoots.isRoot(), "without root, all files belong to one account");
    storage().createDirectory(BOB, path("bob"));
    Files.setAttribute(directory().resolve("bob"), "unix:mode", 0777);
    write("bob/alice/file", "text");
    assertFails(ErrorCode.FORBIDDEN, () -> storage().delete(BOB, path("bob"), true));
    assertThat(read(ALICE, "bob/alice/file")).isEqualTo("text");
  }

  @Test
  void read_privateFilesOfOtherUsers_isRejected() throws IOException {
    assumeTrue(StorageRoots.isRoot(), "without root, all files belong to one account");
    write("private/file", "secret");
    write("file", "secret");
    Files.setAttribute(directory().resolve("private"), "unix:mode", 0700);
    Files.setAttribute(directory().resolve("file"), "unix:mode", 0600);
    assertFails(ErrorCode.FORBIDDEN, () -> read(BOB, "file"));
    assertFails(ErrorCode.FORBIDDEN, () -> read(BOB, "private/file"));
    assertFails(ErrorCode.FORBIDDEN, () -> names(BOB, "private"));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().stat(BOB, path("private/missing")));
    Files.createSymbolicLink(directory().resolve("link"), Path.of("private"));
    assertFails(ErrorCode.CONFLICT, () -> read(BOB, "link/missing"));
    assertThat(read(ALICE, "private/file")).isEqualTo("secret");
    try (TreeUsage usage = storage().usage(BOB, path(""))) {
      while (usage.step()) {
        // The next part.
      }
      assertThat(usage.files()).isEqualTo(2);
    }
  }
}
