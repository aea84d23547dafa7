package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.linux.RawName;
import dev.trainyard.engine.testkit.FileLease;
import dev.trainyard.model.AppException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Backup and restore of user directories, whose owners may be hostile. */
class TreeTest {
  private static final Manifest BEGUN = Manifest.initial("1.0", 2, 0, "sqlite");
  @TempDir private Path directory;
  private long skipped;

  private Path dump(Path tree) throws IOException {
    Path file = directory.resolve("backup.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      writer.begin(BEGUN);
      TreeDump dump = new TreeDump(writer);
      dump.write(tree, "home");
      skipped = dump.skipped();
      writer.finish(BEGUN, Map.of(), Map.of(), 0);
    }
    return file;
  }

  private Path load(Path archive) throws IOException {
    Path root = Files.createTempDirectory(directory, "restored");
    boolean asRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    TreeLoad load = new TreeLoad(root, asRoot);
    new ArchiveReader(archive).read(load::write);
    load.finish();
    return root;
  }

  @Test
  void roundTrip_filesLinksAndModes() throws IOException {
    Path home = Files.createDirectory(directory.resolve("tree"));
    Files.writeString(home.resolve("训练 .txt"), "你好");
    Files.setPosixFilePermissions(
        home.resolve("训练 .txt"), PosixFilePermissions.fromString("r--r-----"));
    Path locked = Files.createDirectory(home.resolve("locked"));
    Files.writeString(locked.resolve("inside"), "x");
    Files.createSymbolicLink(home.resolve("link"), Path.of("../../etc/passwd"));
    Files.createSymbolicLink(home.resolve("训"), Path.of("训练 .txt"));
    Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("r-xr-x---"));
    Path rawName = home.resolve(RawName.path("\u00ff\u0080"));
    Files.writeString(rawName, "no text");
    Path restored = load(dump(home)).resolve("home");
    assertThat(restored.resolve("训练 .txt")).hasContent("你好");
    assertThat(mode(restored.resolve("训练 .txt"))).isEqualTo("r--r-----");
    assertThat(mode(restored.resolve("locked"))).isEqualTo("r-xr-x---");
    assertThat(restored.resolve("locked/inside")).hasContent("x");
    assertThat(Files.readSymbolicLink(restored.resolve("link")))
        .isEqualTo(Path.of("../../etc/passwd"));
    assertThat(Files.readSymbolicLink(restored.resolve("训"))).isEqualTo(Path.of("训练 .txt"));
    assertThat(restored.resolve(RawName.path("\u00ff\u0080"))).hasContent("no text");
    assertThat(skipped).isZero();
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(
        Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void dump_linkToASecret_storesOnlyTheLink() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "the secret of another");
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("deep"), "another secret");
    Path home = Files.createDirectory(directory.resolve("tree"));
    Files.createSymbolicLink(home.resolve("file"), secret);
    Files.createSymbolicLink(home.resolve("folder"), outside);
    Path archive = dump(home);
    StringBuilder content = new StringBuilder();
    new ArchiveReader(archive)
        .read(
            (entry, in) ->
                content
                    .append(entry.name())
                    .append(new String(in.readAll(), StandardCharsets.UTF_8)));
    assertThat(content.toString())
        .contains("home/file", "home/folder")
        .doesNotContain("secret of another", "another secret", "deep");
  }

  @Test
  @Timeout(60)
  void dump_pipesAndDeepNesting_doesNotBlock() throws Exception {
    Path home = Files.createDirectory(directory.resolve("tree"));
    Process mkfifo = new ProcessBuilder("mkfifo", home.resolve("pipe").toString()).start();
    assertThat(mkfifo.waitFor()).isZero();
    Files.createDirectories(home.resolve("d/".repeat(600)));
    load(dump(home));
    assertThat(skipped).isEqualTo(2);
    assertThat(new ProcessBuilder("rm", "-rf", home.toString()).start().waitFor()).isZero();
  }

  /** A kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void dump_leasedFiles_doesNotWait() throws Exception {
    Path home = Files.createDirectory(directory.resolve("tree"));
    Path small = Files.writeString(home.resolve("small"), "small");
    Path large = createSparseFile(home.resolve("large"), 1 << 20, 5);
    Files.writeString(home.resolve("other"), "other");
    try (FileLease _ = FileLease.take(small);
        FileLease _ = FileLease.take(large)) {
      Path restored = load(dump(home)).resolve("home");
      assertThat(restored.resolve("other")).hasContent("other");
      assertThat(skipped).isEqualTo(2);
    }
  }

  /** Writes a byte at each offset of a file of the given size. */
  private static Path createSparseFile(Path file, long size, long... offsets) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toString(), "rw")) {
      for (long offset : offsets) {
        out.seek(offset);
        out.write('x');
      }
      out.setLength(size);
    }
    return file;
  }

  private static long occupiedBytes(Path file) throws Exception {
    Process du = new ProcessBuilder("du", "-k", file.toString()).start();
    String said = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(du.waitFor()).isZero();
    return Long.parseLong(said.split("\\s", 2)[0]) * 1024;
  }

  @Test
  @Timeout(60)
  void roundTrip_sparseFileOfTerabytes_keepsItsHoles() throws Exception {
    Path home = Files.createDirectory(directory.resolve("tree"));
    long size = 12L << 40;
    createSparseFile(home.resolve("all-hole"), size);
    createSparseFile(home.resolve("训练"), size, 0, 1L << 39, (1L << 39) + 100_000, size - 1);
    createSparseFile(home.resolve("ends-with-hole"), 1 << 20, 70_000);
    Path archive = dump(home);
    assertThat(skipped).isZero();
    assertThat(Files.size(archive)).isLessThan(1 << 20);
    Path restored = load(archive).resolve("home");
    assertThat(restored.resolve("all-hole")).hasSize(size);
    assertThat(occupiedBytes(restored.resolve("all-hole"))).isLessThan(1 << 20);
    Path data = restored.resolve("训练");
    assertThat(data).hasSize(size);
    assertThat(occupiedBytes(data)).isLessThan(4 << 20);
    assertThat(byteAt(data, 0)).isEqualTo('x');
    assertThat(byteAt(data, 1L << 39)).isEqualTo('x');
    assertThat(byteAt(data, (1L << 39) + 1)).isZero();
    assertThat(byteAt(data, (1L << 39) + 100_000)).isEqualTo('x');
    assertThat(byteAt(data, size - 1)).isEqualTo('x');
    assertThat(restored.resolve("ends-with-hole"))
        .hasSameBinaryContentAs(home.resolve("ends-with-hole"));
  }

  private static int byteAt(Path file, long offset) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toString(), "r")) {
      in.seek(offset);
      return in.read();
    }
  }

  @Test
  void dump_sparseFile_anyTarRestoresIt() throws Exception {
    Path home = Files.createDirectory(directory.resolve("tree"));
    String name = "long/".repeat(3) + "n".repeat(150);
    Files.createDirectories(home.resolve(name).getParent());
    createSparseFile(home.resolve(name), (8L << 20) + 1, 0, 3 << 20, 8 << 20);
    createSparseFile(home.resolve("hole"), 5 << 20, 1 << 20);
    Files.writeString(home.resolve("zz-dense"), "after");
    Path archive = dump(home);
    Path out = Files.createDirectory(directory.resolve("out"));
    Process tar =
        new ProcessBuilder("tar", "xzf", archive.toString(), "-C", out.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(said).isZero();
    for (String each : new String[] {name, "hole", "zz-dense"}) {
      assertThat(out.resolve("home").resolve(each)).hasSameBinaryContentAs(home.resolve(each));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\n",
        "2\n0\n512\n",
        "1\n0\n2000000\n",
        "2\n0\n1024\n512\n512\n",
        "1\n-1\n512\n",
        "1\n2000000\n0\n",
        "99999999999999999999\n",
        "1000001000\n0\n0\n"
      })
  void load_sparseFileWithInvalidMap_rejected(String map) throws IOException {
    byte[] content = Arrays.copyOf(map.getBytes(StandardCharsets.US_ASCII), 1024);
    ArchiveEntry entry =
        new ArchiveEntry("home/f", ArchiveEntry.Kind.FILE, 0600, 0, 0, content.length, 0, "")
            .asSparse(content.length, 1_000_000);
    Path file = directory.resolve("hostile.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      writer.begin(BEGUN);
      writer.add(entry("home", ArchiveEntry.Kind.DIRECTORY, ""));
      writer.add(entry, new ByteArrayInputStream(content));
      writer.finish(BEGUN, Map.of(), Map.of(), 0);
    }
    assertThatThrownBy(() -> load(file)).isInstanceOf(AppException.class);
  }

  private Path hostileArchive(ArchiveEntry... entries) throws IOException {
    Path file = directory.resolve("hostile.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      writer.begin(BEGUN);
      for (ArchiveEntry entry : entries) {
        writer.add(entry);
      }
      writer.finish(BEGUN, Map.of(), Map.of(), 0);
    }
    return file;
  }

  private static ArchiveEntry entry(String name, ArchiveEntry.Kind kind, String target) {
    return new ArchiveEntry(name, kind, 0755, 0, 0, 0, 0, target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../out", "home/../../out", "/out", "home//out", "home/./out", "", "nodir/out"})
  void load_nameOutsideTheDirectory_rejected(String name) throws IOException {
    Path archive =
        hostileArchive(
            entry("home", ArchiveEntry.Kind.DIRECTORY, ""),
            entry(name.isEmpty() ? "home/" : name, ArchiveEntry.Kind.FILE, ""));
    assertThatThrownBy(() -> load(archive)).isInstanceOf(RuntimeException.class);
    assertThat(directory.resolve("out")).doesNotExist();
  }

  @Test
  void load_fileThroughALink_rejected() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Path archive =
        hostileArchive(
            entry("home", ArchiveEntry.Kind.DIRECTORY, ""),
            entry("home/a", ArchiveEntry.Kind.LINK, outside.toString()),
            entry("home/a/planted", ArchiveEntry.Kind.FILE, ""));
    assertThatThrownBy(() -> load(archive)).isInstanceOf(RuntimeException.class);
    assertThat(outside).isEmptyDirectory();
    Path twice =
        hostileArchive(
            entry("home", ArchiveEntry.Kind.DIRECTORY, ""),
            entry("home/a", ArchiveEntry.Kind.LINK, outside.resolve("x").toString()),
            entry("home/a", ArchiveEntry.Kind.FILE, ""));
    assertThatThrownBy(() -> load(twice)).isInstanceOf(RuntimeException.class);
    assertThat(outside).isEmptyDirectory();
  }

  @Test
  void load_setuid_isDropped() throws IOException {
    Path archive =
        hostileArchive(
            entry("home", ArchiveEntry.Kind.DIRECTORY, ""),
            new ArchiveEntry("home/su", ArchiveEntry.Kind.FILE, 06755, 0, 0, 0, 0, ""));
    Path restored = load(archive).resolve("home/su");
    assertThat((Integer) Files.getAttribute(restored, "unix:mode") & 07777).isEqualTo(0755);
  }
}
