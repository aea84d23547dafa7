package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.model.AppException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing outside of a storage is read, written, listed, deleted or revealed. */
@Timeout(60)
class ContainmentTest {
  private static final StorageUser ALICE = StorageContract.ALICE;
  private static final String SECRET = "secret of the host";

  @TempDir Path directory;
  private Path outside;
  private Path root;
  private PlatformStorages storages;

  @BeforeEach
  void create() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    outside = Files.createDirectories(directory.resolve("outside/folder"));
    Files.writeString(outside.resolve("file"), SECRET);
    Files.createDirectories(data.resolve("home/bob"));
    Files.writeString(data.resolve("home/bob/file"), SECRET);
    storages = HomeStorageTest.storages(data);
    for (String name : List.of("home", "gshare")) {
      storages.load(name).createDirectory(ALICE, StoragePath.parse("folder"));
      root = data.resolve(name.equals("home") ? "home/alice" : name);
      fill();
    }
  }

  private void fill() throws Exception {
    Files.createSymbolicLink(root.resolve("absolute"), outside);
    Files.createSymbolicLink(root.resolve("relative"), Path.of("../../../outside/folder"));
    Files.createSymbolicLink(root.resolve("shorter"), Path.of("../../outside/folder"));
    Files.createSymbolicLink(root.resolve("neighbor"), Path.of("../bob"));
    Files.createSymbolicLink(root.resolve("gdata"), Path.of("/gdata"));
    Files.createSymbolicLink(root.resolve("userhome"), Path.of("/userhome/x"));
    Files.createSymbolicLink(root.resolve("proc"), Path.of("/proc/self/root" + outside));
    Files.createSymbolicLink(root.resolve("fd"), Path.of("/proc/self/cwd"));
    Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
    Files.createSymbolicLink(root.resolve("filelink"), outside.resolve("file"));
    run("mkfifo", root.resolve("fifo").toString());
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  static List<String> leavingPaths() {
    return List.of(
        "..",
        "../bob/file",
        "folder/../../bob/file",
        "/etc/passwd",
        "//etc/passwd",
        "folder//file",
        "./file",
        "file\0",
        "absolute/file",
        "relative/file",
        "shorter/file",
        "neighbor/file",
        "gdata/file",
        "userhome/file",
        "proc/file",
        "fd/pom.xml",
        "loop/file",
        "loop",
        "filelink",
        "filelink/x",
        "absolute/new/deep/file",
        "neighbor/new/file",
        "fifo/x",
        "x".repeat(256),
        "\uD800",
        "a/".repeat(3000) + "file");
  }

  @ParameterizedTest
  @MethodSource("leavingPaths")
  void everyOperation_pathThatLeadsOutside_changesAndRevealsNothing(String path) throws Exception {
    for (String name : List.of("home", "gshare")) {
      Storage storage = storages.load(name);
      Map<String, String> before = contents();
      expectNoSecret(() -> read(storage, path));
      expectNoSecret(() -> storage.list(ALICE, parse(path), "", 10).toString());
      expectNoSecret(() -> count(storage, path));
      attempt(() -> write(storage, path));
      attempt(() -> storage.createDirectory(ALICE, parse(path + "/made")));
      attempt(() -> storage.move(ALICE, parse(path), parse("moved"), true));
      attempt(() -> storage.move(ALICE, parse("folder"), parse(path), true));
      attempt(() -> storage.delete(ALICE, parse(path), true));
      assertThat(contents()).isEqualTo(before);
    }
  }

  @Test
  void delete_treeWithLinks_deletesOnlyTheLinks() throws IOException {
    Map<String, String> before = contents();
    Storage storage = storages.load("home");
    for (String name : List.of("absolute", "relative", "neighbor", "filelink")) {
      storage.move(ALICE, parse(name), parse("folder/" + name), false);
    }
    storage.delete(ALICE, parse("folder"), true);
    storage.delete(ALICE, parse("fifo"), false);
    assertThat(contents()).isEqualTo(before);
  }

  @Test
  void write_overLinkOrHardLink_leavesTheOtherFileAlone() throws IOException {
    Storage storage = storages.load("home");
    Path home = directory.resolve("data/home/alice");
    Files.createLink(home.resolve("hard"), outside.resolve("file"));
    Map<String, String> before = contents();
    write(storage, "hard");
    write(storage, "filelink");
    assertThat(contents()).isEqualTo(before);
    assertThat(Files.isSymbolicLink(home.resolve("filelink"))).isFalse();
  }

  @Test
  void open_fifoOrSocket_neitherBlocksNorReads() throws IOException {
    Storage storage = storages.load("home");
    Path socket = directory.resolve("data/home/alice/s");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      for (String name : List.of("fifo", "s")) {
        assertThat(storage.stat(ALICE, parse(name)).kind()).isEqualTo(FileHandle.Kind.OTHER);
      }
    }
  }

  @Test
  void write_directorySwappedWithALink_staysInside() throws Exception {
    Storage storage = storages.load("home");
    Path swapped = directory.resolve("data/home/alice/swapped");
    Map<String, String> before = contents();
    AtomicBoolean stopped = new AtomicBoolean();
    Thread swapper = Thread.ofPlatform().start(() -> swap(swapped, stopped));
    try {
      for (int i = 0; i < 1_000; i++) {
        String name = "swapped/file" + i % 10;
        attempt(() -> write(storage, name));
        attempt(() -> storage.delete(ALICE, parse(name), true));
        attempt(() -> storage.createDirectory(ALICE, parse("swapped/made/deep")));
        attempt(() -> storage.delete(ALICE, parse("swapped/made"), true));
        expectNoSecret(() -> read(storage, "swapped/file"));
      }
    } finally {
      stopped.set(true);
      swapper.join();
    }
    assertThat(contents()).isEqualTo(before);
  }

  private void swap(Path swapped, AtomicBoolean stopped) {
    Path real = swapped.resolveSibling("real");
    try {
      Files.createDirectory(real);
      while (!stopped.get()) {
        Files.move(real, swapped);
        Files.move(swapped, real);
        Files.createSymbolicLink(swapped, outside);
        Files.delete(swapped);
      }
    } catch (IOException e) {
      // The server has created a directory of this name; the other operations continue.
    }
  }

  private static StoragePath parse(String path) {
    return StoragePath.parse(path);
  }

  private static String read(Storage storage, String path) throws IOException {
    try (FileHandle file = storage.open(ALICE, parse(path))) {
      return file.attributes().kind() == FileHandle.Kind.FILE ? Files.readString(file.path()) : "";
    }
  }

  private static String count(Storage storage, String path) throws IOException {
    try (TreeUsage usage = storage.usage(ALICE, parse(path))) {
      while (usage.step()) {
        // The next part.
      }
      return usage.files() + usage.directories() > 1 ? "found files" : "";
    }
  }

  private static void write(Storage storage, String path) throws IOException {
    try (Upload upload = storage.write(ALICE, parse(path), true)) {
      upload.write(ByteBuffer.wrap("new".getBytes(StandardCharsets.UTF_8)));
      upload.commit();
    }
  }

  private interface Operation {
    void perform() throws IOException;
  }

  private interface Query {
    String result() throws IOException;
  }

  /** The operation may fail, or change files inside the storage. */
  private static void attempt(Operation operation) {
    try {
      operation.perform();
    } catch (AppException | IOException e) {
      assertThat(e.toString()).doesNotContain(SECRET);
    }
  }

  private static void expectNoSecret(Query query) {
    try {
      assertThat(query.result()).doesNotContain(SECRET).doesNotContain("found files");
    } catch (AppException | IOException e) {
      assertThat(e.toString()).doesNotContain(SECRET);
    }
  }

  /** Returns all files outside of the storages of alice. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    for (Path top : List.of(directory.resolve("outside"), directory.resolve("data/home/bob"))) {
      try (Stream<Path> files = Files.walk(top)) {
        for (Path file : files.toList()) {
          contents.put(
              file.toString(),
              Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                  ? Files.readString(file) + Files.readAttributes(file, "unix:mode,uid,gid")
                  : "directory");
        }
      }
    }
    try (Stream<Path> files = Files.list(directory.resolve("data"))) {
      files.forEach(file -> contents.put(file.toString(), "top"));
    }
    return contents;
  }
}
