package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.TaskWrittenFile;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of {@link Storage}. Every writable implementation inherits it. */
abstract class StorageContract {
  static final StorageUser ALICE = new StorageUser("alice", 3);
  static final StorageUser BOB = new StorageUser("bob", 4);

  @TempDir Path data;

  abstract Storage storage();

  /** Returns the directory of the host with the files of alice. */
  abstract Path directory();

  static StoragePath path(String text) {
    return StoragePath.parse(text);
  }

  void write(StorageUser user, String path, String text, boolean overwrite) throws IOException {
    try (Upload upload = storage().write(user, path(path), overwrite)) {
      upload.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      upload.commit();
    }
  }

  void write(String path, String text) throws IOException {
    write(ALICE, path, text, false);
  }

  String read(StorageUser user, String path) throws IOException {
    try (FileHandle file = storage().open(user, path(path));
        FileChannel channel = TaskWrittenFile.openForReading(file.path())) {
      return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  List<String> names(StorageUser user, String path) throws IOException {
    return storage().list(user, path(path), "", 1000).entries().stream()
        .map(DirectoryPage.Entry::name)
        .toList();
  }

  static void assertFails(ErrorCode code, ThrowingCallable operation) {
    assertThatThrownBy(operation)
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).as(e.toString()).isEqualTo(code));
  }

  @Test
  void list_unusedStorage_isEmpty() throws IOException {
    assertThat(names(ALICE, "")).isEmpty();
    assertThat(directory()).isDirectory();
  }

  @Test
  void write_newFile_isReadable() throws IOException {
    write("a/b/file", "text");
    assertThat(read(ALICE, "a/b/file")).isEqualTo("text");
    assertThat(names(ALICE, "a")).containsExactly("b");
    assertThat(storage().stat(ALICE, path("a/b/file")).size()).isEqualTo(4);
    assertThat(Files.getPosixFilePermissions(directory().resolve("a/b/file")))
        .isEqualTo(PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(Files.getPosixFilePermissions(directory().resolve("a/b")))
        .isEqualTo(PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void write_beforeTheCommit_isInvisible() throws IOException {
    Upload upload = storage().write(ALICE, path("new/file"), false);
    upload.write(ByteBuffer.wrap(new byte[100]));
    assertThat(names(ALICE, "")).isEmpty();
    upload.close();
    assertThat(names(ALICE, "")).isEmpty();
    try (var files = Files.list(directory())) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void write_existingFile_isReplacedOnlyIfRequested() throws IOException {
    write("file", "old");
    assertFails(ErrorCode.CONFLICT, () -> write("file", "new"));
    assertThat(read(ALICE, "file")).isEqualTo("old");
    write(ALICE, "file", "new", true);
    assertThat(read(ALICE, "file")).isEqualTo("new");
    assertThat(names(ALICE, "")).containsExactly("file");
  }

  @Test
  void write_fileThatAppearsMeanwhile_isNotReplaced() throws IOException {
    try (Upload upload = storage().write(ALICE, path("file"), false)) {
      write("file", "first");
      assertFails(ErrorCode.CONFLICT, upload::commit);
    }
    assertThat(read(ALICE, "file")).isEqualTo("first");
  }

  @Test
  void write_directoryInTheWay_isConflict() throws IOException {
    write("a/file", "text");
    assertFails(ErrorCode.CONFLICT, () -> write(ALICE, "a", "text", true));
    assertFails(ErrorCode.CONFLICT, () -> write("a/file/below", "text"));
    assertThat(read(ALICE, "a/file")).isEqualTo("text");
  }

  @Test
  void write_ownerIsTheUser() throws IOException {
    write("a/file", "text");
    Object owner = Files.getAttribute(directory(), "unix:uid");
    if (storage().name().equals("home")) {
      assertThat(Files.getAttribute(directory().resolve("a"), "unix:uid")).isEqualTo(owner);
      assertThat(Files.getAttribute(directory().resolve("a/file"), "unix:uid")).isEqualTo(owner);
    }
  }

  @Test
  void list_pages_areInOrder() throws IOException {
    for (String name : List.of("c", "a", "b")) {
      write(name, "");
    }
    DirectoryPage first = storage().list(ALICE, path(""), "", 2);
    assertThat(first.entries()).extracting(DirectoryPage.Entry::name).containsExactly("a", "b");
    DirectoryPage second = storage().list(ALICE, path(""), first.next().orElseThrow(), 2);
    assertThat(second.entries()).extracting(DirectoryPage.Entry::name).containsExactly("c");
    assertThat(second.next()).isEmpty();
    assertFails(ErrorCode.CONFLICT, () -> names(ALICE, "a"));
    assertFails(ErrorCode.NOT_FOUND, () -> names(ALICE, "missing"));
  }

  @Test
  void createDirectory_existing_hasNoEffect() throws IOException {
    storage().createDirectory(ALICE, path("a/b"));
    storage().createDirectory(ALICE, path("a/b"));
    assertThat(names(ALICE, "a")).containsExactly("b");
    write("file", "");
    assertFails(ErrorCode.CONFLICT, () -> storage().createDirectory(ALICE, path("file")));
    assertFails(ErrorCode.CONFLICT, () -> storage().createDirectory(ALICE, path("file/x")));
  }

  @Test
  void move_fileAndDirectory() throws IOException {
    write("a/file", "text");
    storage().move(ALICE, path("a/file"), path("moved"), false);
    storage().move(ALICE, path("a"), path("b"), false);
    assertThat(names(ALICE, "")).containsExactly("b", "moved");
    assertFails(ErrorCode.NOT_FOUND, () -> storage().move(ALICE, path("a"), path("c"), false));
    assertFails(ErrorCode.NOT_FOUND, () -> storage().move(ALICE, path("b"), path("x/y"), false));
    assertFails(ErrorCode.CONFLICT, () -> storage().move(ALICE, path("b"), path("b/c"), false));
  }

  @Test
  void move_existingTarget_isReplacedOnlyIfRequested() throws IOException {
    write("a", "a");
    write("b", "b");
    write("full/file", "");
    assertFails(ErrorCode.CONFLICT, () -> storage().move(ALICE, path("a"), path("b"), false));
    storage().move(ALICE, path("a"), path("b"), true);
    assertThat(read(ALICE, "b")).isEqualTo("a");
    assertFails(ErrorCode.CONFLICT, () -> storage().move(ALICE, path("b"), path("full"), true));
  }

  @Test
  void delete_directory_needsRecursiveIfNotEmpty() throws IOException {
    write("a/b/file", "text");
    storage().createDirectory(ALICE, path("empty"));
    storage().delete(ALICE, path("empty"), false);
    assertFails(ErrorCode.CONFLICT, () -> storage().delete(ALICE, path("a"), false));
    storage().delete(ALICE, path("a"), true);
    assertThat(names(ALICE, "")).isEmpty();
    assertFails(ErrorCode.NOT_FOUND, () -> storage().delete(ALICE, path("a"), true));
    assertFails(ErrorCode.FORBIDDEN, () -> storage().delete(ALICE, path(""), true));
  }

  @Test
  void usage_countsFilesAndDirectories() throws IOException {
    write("a/b/file", "12345");
    write("a/other", "678");
    Files.createSymbolicLink(directory().resolve("a/link"), Path.of("/"));
    try (TreeUsage usage = storage().usage(ALICE, path(""))) {
      while (usage.step()) {
        // The next part.
      }
      assertThat(usage.bytes()).isEqualTo(8);
      assertThat(usage.files()).isEqualTo(3);
      assertThat(usage.directories()).isEqualTo(2);
    }
  }

  @Test
  void unusualNames_areKept() throws IOException {
    for (String name : List.of("ünï — 名前 \uD83D\uDE00", "x".repeat(255), " ", "a\nb", "\\", "*")) {
      write(name, name);
      assertThat(read(ALICE, name)).isEqualTo(name);
      assertThat(names(ALICE, "")).contains(name);
      storage().delete(ALICE, path(name), false);
    }
  }
}
