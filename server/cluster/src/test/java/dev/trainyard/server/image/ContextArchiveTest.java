package dev.trainyard.server.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.server.backup.ArchiveEntry;
import dev.trainyard.server.backup.TarOutput;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContextArchiveTest {
  @TempDir Path directory;
  private Path from;
  private Path to;

  @BeforeEach
  void createDirectories() throws IOException {
    from = Files.createDirectory(directory.resolve("from"));
    to = Files.createDirectory(directory.resolve("to"));
  }

  /** Creates an archive with the real tar program, which is what users send. */
  private byte[] tar(String... arguments) throws Exception {
    Process tar =
        new ProcessBuilder(
                Stream.concat(
                        Stream.of("tar", "-C", from.toString(), "-cf", "-"), Stream.of(arguments))
                    .toList())
            .start();
    byte[] archive = tar.getInputStream().readAllBytes();
    assertThat(tar.waitFor()).isZero();
    return archive;
  }

  private void unpack(byte[] archive) throws IOException {
    new ContextArchive(to, DataSize.ofMegabytes(1), OptionalInt.empty(), () -> {}, (_, _) -> {})
        .unpack(new ByteArrayInputStream(archive));
  }

  private void assertRejected(byte[] archive, String words) {
    assertThatThrownBy(() -> unpack(archive))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.text().english()).contains(words));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gnu", "posix", "ustar"})
  void unpack_tarFormats(String format) throws Exception {
    String deep = "d".repeat(90) + "/" + "e".repeat(90);
    Files.createDirectories(from.resolve(deep).getParent());
    Files.writeString(from.resolve(deep), "deep");
    Files.writeString(from.resolve("a.sh"), "a");
    Files.setPosixFilePermissions(
        from.resolve("a.sh"), java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-x---"));
    Files.createSymbolicLink(from.resolve("d".repeat(90)).resolve("up"), Path.of("../a.sh"));
    unpack(tar("--format=" + format, "-z", "."));

    assertThat(to.resolve(deep)).hasContent("deep");
    assertThat(Files.getPosixFilePermissions(to.resolve("a.sh"))).hasSize(5);
    assertThat(to.resolve("d".repeat(90)).resolve("up")).isSymbolicLink();
    ContextDirectory files = new ContextDirectory(to);
    List<String> seen = new ArrayList<>();
    files.each(seen::add);
    assertThat(seen).contains("a.sh", deep).doesNotContain("");
    assertThat(files.isDirectory("d".repeat(90) + "/up")).contains(false);
    assertThat(files.isDirectory("..")).isEmpty();
    assertThat(files.read("d".repeat(90) + "/up", 100)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/passwd", "..", "x/../../y", "../x"})
  void unpack_linkToOutside_rejected(String target) throws Exception {
    Files.createSymbolicLink(from.resolve("link"), Path.of(target));
    assertRejected(tar("link"), "outside the directory");
  }

  @Test
  void unpack_fileThroughLink_rejected() throws Exception {
    Files.createDirectory(from.resolve("dir"));
    Files.createSymbolicLink(from.resolve("a"), Path.of("dir"));
    Files.writeString(from.resolve("file"), "x");
    assertRejected(tar("dir", "a", "--transform=s,^file$,a/file,", "file"), "duplicate path");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../out", "/tmp/out", "a/../../out", "a//b"})
  void unpack_pathOutside_rejected(String path) throws Exception {
    Files.writeString(from.resolve("file"), "x");
    assertRejected(tar("-P", "--transform=s,^file$," + path + ",", "file"), "is not a valid path");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  /** An archive of empty files in directories that have no entries of their own. */
  private static byte[] files(List<String> names) throws IOException {
    ByteArrayOutputStream archive = new ByteArrayOutputStream();
    TarOutput tar = new TarOutput(archive);
    for (String name : names) {
      tar.begin(new ArchiveEntry(name, ArchiveEntry.Kind.FILE, 0644, 0, 0, 0, 0, ""));
    }
    tar.finish();
    return archive.toByteArray();
  }

  /**
   * More than one batch, and a file that is written in several pieces and then becomes read-only.
   */
  @Test
  void unpack_manyAndLargeFiles() throws Exception {
    for (int i = 0; i < 300; i++) {
      Files.writeString(from.resolve("small" + i), "content " + i);
    }
    String large = "0123456789".repeat(20_000);
    Files.writeString(from.resolve("large"), large);
    Files.setPosixFilePermissions(
        from.resolve("large"),
        java.nio.file.attribute.PosixFilePermissions.fromString("r--r--r--"));
    unpack(tar("-z", "."));

    assertThat(to.resolve("large")).hasContent(large);
    assertThat(Files.getPosixFilePermissions(to.resolve("large"))).hasSize(3);
    for (int i = 0; i < 300; i++) {
      assertThat(to.resolve("small" + i)).hasContent("content " + i);
    }
  }

  /** A pooled thread must not wait for a client, and a virtual thread must not compute for long. */
  @Test
  void unpack_readsTheBodyOutsideThePoolAndDecodesInside() throws Exception {
    for (int i = 0; i < 100; i++) {
      Files.writeString(from.resolve("small" + i), "content");
    }
    Files.write(from.resolve("large"), new byte[900_000]);
    byte[] archive = tar("-z", ".");
    Set<Thread> readers = new HashSet<>();
    Set<String> decoders = new HashSet<>();
    InputStream body =
        new FilterInputStream(new ByteArrayInputStream(archive)) {
          @Override
          public int read(byte[] to, int offset, int length) throws IOException {
            readers.add(Thread.currentThread());
            return super.read(to, offset, Math.min(length, 100));
          }
        };
    new ContextArchive(
            to,
            DataSize.ofMegabytes(1),
            OptionalInt.empty(),
            () -> {},
            (_, _) -> decoders.add(Thread.currentThread().getName().replaceFirst(" .*", "")))
        .unpack(body);

    assertThat(readers).containsExactly(Thread.currentThread());
    assertThat(decoders).containsExactly("files");
    assertThat(to.resolve("large")).hasSize(900_000);
    assertThat(directory).isDirectoryNotContaining(path -> path.toString().contains("/."));
  }

  /** Headers also compress to almost nothing. */
  @Test
  void unpack_longHeadersCountForTheLimit() throws Exception {
    for (String name : List.of("a", "b", "c")) {
      Files.createFile(from.resolve(name));
    }
    byte[] archive =
        tar("--format=posix", "--pax-option=comment:=" + "x".repeat(100_000), "-z", "a", "b", "c");
    ContextArchive small =
        new ContextArchive(
            to, new DataSize(100_000), OptionalInt.empty(), () -> {}, (_, _) -> {}, 10);

    assertThatThrownBy(() -> small.unpack(new ByteArrayInputStream(archive)))
        .isInstanceOfSatisfying(
            AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TOO_LARGE));
  }

  @Test
  void unpack_accountRejects_endsImmediately() throws Exception {
    byte[] archive = files(IntStream.range(0, 50).mapToObj(i -> "file" + i).toList());
    ContextBudget budget = new ContextBudget(2, 10, 1_000);
    try (ContextBudget.Upload upload = budget.begin("u1", "to")) {
      ContextArchive limited =
          new ContextArchive(
              to, DataSize.ofMegabytes(1), OptionalInt.empty(), () -> {}, upload::reserve);
      assertThatThrownBy(() -> limited.unpack(new ByteArrayInputStream(archive)))
          .isInstanceOfSatisfying(
              AppException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }
    try (Stream<Path> created = Files.list(to)) {
      assertThat(created.count()).isLessThanOrEqualTo(10);
    }
  }

  @Test
  void unpack_deepPaths_rejected() throws Exception {
    String directory = "d/".repeat(ContextArchive.MAX_DEPTH - 1);
    unpack(files(List.of(directory + "file")));
    assertThat(to.resolve(directory + "file")).isEmptyFile();

    assertRejected(files(List.of(directory + "d/file")), "nested deeper than 128 levels");
    assertRejected(files(List.of("./".repeat(3000) + "file")), "is not a valid path");
  }

  /** A few bytes of a name must not create more inodes than the number of entries allowed. */
  @Test
  void unpack_impliedDirectoriesCount() throws Exception {
    int directories = ContextArchive.MAX_DEPTH - 1;
    int most = 1000;
    List<String> names =
        IntStream.range(0, 20).mapToObj(i -> i + "/" + "d/".repeat(directories - 1) + "f").toList();
    ContextArchive archive =
        new ContextArchive(
            to, DataSize.ofMegabytes(1), OptionalInt.empty(), () -> {}, (_, _) -> {}, most);
    byte[] bytes = files(names);

    assertThatThrownBy(() -> archive.unpack(new ByteArrayInputStream(bytes)))
        .isInstanceOfSatisfying(
            AppException.class,
            e ->
                assertThat(e.text().english()).isEqualTo("the archive has more than 1000 entries"));
    try (Stream<Path> created = Files.walk(to)) {
      assertThat(created.count()).isLessThanOrEqualTo(most + 1);
    }
  }

  @Test
  void unpack_deviceHardLinkTooLarge() throws Exception {
    Files.writeString(from.resolve("file"), "x");
    Files.createLink(from.resolve("hard"), from.resolve("file"));
    byte[] hard = tar("file", "hard");
    assertThatThrownBy(() -> unpack(hard)).isInstanceOf(IOException.class);
    byte[] device = tar("-P", "/dev/null");
    assertThatThrownBy(() -> unpack(device)).isInstanceOf(IOException.class);
    byte[] broken =
        "this is not an archive".repeat(100).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    assertThatThrownBy(() -> unpack(broken)).isInstanceOf(IOException.class);
    Files.write(from.resolve("large"), new byte[2 << 20]);
    assertRejected(tar("-z", "large"), "larger than");
    assertThat(Files.exists(to.resolve("null"), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }
}
