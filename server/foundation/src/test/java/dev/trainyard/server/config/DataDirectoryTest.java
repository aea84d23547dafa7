package dev.trainyard.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir Path directory;

  @Test
  void open_createsPrivateDirectory() throws Exception {
    DataDirectory data = DataDirectory.open(directory.resolve("a/b"));
    assertThat(mode(data.path())).isEqualTo("rwx------");
  }

  @Test
  void requireUnused_contentOfAServer_rejected() throws Exception {
    DataDirectory data = DataDirectory.open(directory.resolve("used"));
    Files.writeString(data.resolve("trainyard.conf"), "port=1\n");
    Files.createDirectories(data.resolve("gdata/digits"));
    Files.createDirectory(data.resolve("home"));
    data.requireUnused();
    Files.createDirectory(data.resolve("home/alice"));
    assertThatThrownBy(data::requireUnused)
        .isInstanceOf(AppException.class)
        .hasMessageContaining("(it contains home)")
        .hasMessageContaining("--db");
  }

  @Test
  void makePrivate_removesAccessOfOthers() throws Exception {
    Path data = Files.createDirectory(directory.resolve("d"));
    Path database = Files.createFile(data.resolve("trainyard.db"));
    Path other = Files.createFile(data.resolve("notes.txt"));
    Path keys = Files.createFile(data.resolve("secret-keys"));
    Path inside = Files.createDirectory(data.resolve("home"));
    Path target = Files.createFile(directory.resolve("target"));
    Files.createSymbolicLink(data.resolve("link"), target);
    for (Path path : List.of(database, keys, other, target)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
    }
    for (Path path : List.of(data, inside)) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    DataDirectory opened = DataDirectory.open(data);
    assertThat(mode(data)).as("it may be a wrong one").isEqualTo("rwxr-xr-x");
    opened.makePrivate();

    assertThat(mode(data)).isEqualTo("rwx------");
    assertThat(mode(other)).as("not a server's").isEqualTo("rw-r--r--");
    assertThat(mode(database)).isEqualTo("rw-------");
    assertThat(mode(keys)).as("refused later, see KeyRing").isEqualTo("rw-r--r--");
    assertThat(mode(inside)).as("may be a volume of tasks").isEqualTo("rwxr-xr-x");
    assertThat(mode(target)).as("outside").isEqualTo("rw-r--r--");
    try (ServerLock lock = ServerLock.acquire(new DataDirectory(data))) {
      lock.announce("http://127.0.0.1:1");
      assertThat(mode(data.resolve("lock"))).isEqualTo("rw-------");
    }
  }

  @Test
  void take_lockIsADirectory_explained() throws Exception {
    Files.createDirectory(directory.resolve("lock"));
    assertThatThrownBy(() -> ServerLock.acquire(new DataDirectory(directory)))
        .isInstanceOf(AppException.class)
        .hasMessageContaining(directory.resolve("lock") + " cannot be used: ")
        .hasMessageContaining("check its type");
  }

  @Test
  void explained_fileOfTheDirectory_isNamed() throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    Path token = Files.createDirectories(directory.resolve("local-token/x")).getParent();
    assertThatThrownBy(() -> new DataDirectory(directory).writePrivate("local-token", "x"))
        .isInstanceOfSatisfying(
            UncheckedIOException.class,
            e -> {
              assertThat(DataDirectory.explain(link, e))
                  .isInstanceOf(AppException.class)
                  .hasMessageContaining(token + " cannot be used: ");
              assertThat(DataDirectory.explain(directory.resolve("other"), e)).isSameAs(e);
            });
  }

  @Test
  void open_worldWritable() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
    assertRejected("config.data-open", directory);
  }

  @Test
  void open_file() throws Exception {
    assertRejected("config.data-no-directory", Files.createFile(directory.resolve("file")));
  }

  @Test
  void open_ownedByAnotherUser() throws Exception {
    boolean root = System.getProperty("user.name").equals("root");
    // A directory of root belongs to another user for everyone except root; root has to create one.
    Path foreignDirectory =
        root ? Files.createDirectory(directory.resolve("foreign")) : Path.of("/proc/1");
    if (root) {
      Files.setAttribute(foreignDirectory, "unix:uid", 12_345);
    }
    assertRejected("config.data-foreign", foreignDirectory);
  }

  @Test
  void writePrivate_modeAndReplacement() throws Exception {
    DataDirectory data = DataDirectory.open(directory.resolve("d"));
    data.writePrivate("secret", "one");
    data.writePrivate("secret", "two");
    assertThat(mode(data.resolve("secret"))).isEqualTo("rw-------");
    assertThat(data.resolve("secret")).hasContent("two");
    assertThat(data.path().toFile().list()).containsExactly("secret");
    data.delete("secret");
    data.delete("secret");
    assertThat(data.path().toFile().list()).isEmpty();
  }

  @Test
  void lock_second_reportsTheHolder() {
    DataDirectory data = DataDirectory.open(directory.resolve("d"));
    try (ServerLock first = ServerLock.acquire(data)) {
      first.announce("http://127.0.0.1:1");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> ServerLock.acquire(data))
            .isInstanceOf(AppException.class)
            .hasMessageContaining("http://127.0.0.1:1")
            .hasMessageContaining("pid " + ProcessHandle.current().pid());
      }
    }
    ServerLock.acquire(data).close();
  }

  private static String mode(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static void assertRejected(String code, Path path) {
    assertThatThrownBy(() -> DataDirectory.open(path))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().code()).isEqualTo(code));
  }
}
