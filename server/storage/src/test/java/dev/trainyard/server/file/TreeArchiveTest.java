package dev.trainyard.server.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.server.work.Requester;
import dev.trainyard.server.work.WorkCanceledException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeArchiveTest {
  private static final int DEPTH = 350;

  @TempDir Path directory;

  private static byte[] pack(Path tree, ArchiveFormat format) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (FileHandle root = FileHandle.find(tree, "").orElseThrow();
        TreeArchive archive = new TreeArchive(root, "top", format.packer(packed), _ -> true)) {
      while (archive.step()) {
        // continues
      }
    }
    return packed.toByteArray();
  }

  /** Returns how many files below the directory are open; other tests run at the same time. */
  private long descriptors() throws IOException {
    try (var open = Files.list(Path.of("/proc/self/fd"))) {
      return open.filter(this::isBelowDirectory).count();
    }
  }

  private boolean isBelowDirectory(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(directory.toRealPath());
    } catch (IOException e) {
      return false; // closed by another test in the meantime
    }
  }

  @Test
  void step_deepTree_holdsOnlyTheCurrentPath() throws Exception {
    Path at = directory;
    for (int level = 0; level < DEPTH; level++) {
      Files.writeString(at.resolve("file"), "level " + level);
      at = Files.createDirectory(at.resolve("d"));
    }
    List<String> names = new ArrayList<>();
    long most = 0;
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (FileHandle root = FileHandle.find(directory, "").orElseThrow();
        TreeArchive archive =
            new TreeArchive(root, "top", ArchiveFormat.ZIP.packer(packed), _ -> true)) {
      boolean more = true;
      while (more) {
        more = archive.step();
        most = Math.max(most, descriptors());
      }
    }
    assertThat(most).isBetween(1L, 29L);
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(packed.toByteArray()))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        names.add(entry.getName());
      }
    }
    assertThat(names).hasSize(2 * DEPTH + 1).contains("top" + "/d".repeat(DEPTH - 1) + "/file");
  }

  @Test
  void step_deeperThanTheLimit_failsInsteadOfOmittingFiles() throws Exception {
    Files.createDirectories(directory.resolve("d/".repeat(402)));
    assertThatThrownBy(() -> pack(directory, ArchiveFormat.TAR))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is too deep for an archive: at most 400 levels");
  }

  @Test
  void step_manyDirectories_allAreIncluded() throws Exception {
    for (int i = 0; i < 40; i++) {
      Path one = Files.createDirectories(directory.resolve("a" + i % 4 + "/b" + i));
      Files.writeString(one.resolve("f"), "content " + i);
    }
    Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc"));
    String tar = new String(pack(directory, ArchiveFormat.TAR), StandardCharsets.ISO_8859_1);
    for (int i = 0; i < 40; i++) {
      assertThat(tar).contains("top/a" + i % 4 + "/b" + i + "/f").contains("content " + i);
    }
    assertThat(tar).doesNotContain("top/link");
  }

  @Test
  void step_tooManyPendingDirectories_archiveFails() throws Exception {
    for (int i = 0; i < 11; i++) {
      Files.createDirectory(directory.resolve("d" + i));
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (FileHandle root = FileHandle.find(directory, "").orElseThrow();
        TreeArchive archive =
            new TreeArchive(root, "top", ArchiveFormat.TAR.packer(packed), _ -> true, 10)) {
      assertThatThrownBy(archive::step)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("top has too many subdirectories");
    }
  }

  @Test
  void step_sparseFile_isComplete() throws Exception {
    byte[] expected = new byte[9 * 1024 * 1024 + 17];
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve("sparse").toString(), "rw")) {
      file.setLength(expected.length);
      for (int at : new int[] {0, 4_100_000, 8_900_000}) {
        byte[] data = ("data at " + at).getBytes(StandardCharsets.UTF_8);
        System.arraycopy(data, 0, expected, at, data.length);
        file.seek(at);
        file.write(data);
      }
    }
    byte[] tar = pack(directory, ArchiveFormat.TAR);
    assertThat(Arrays.copyOfRange(tar, 1024, 1024 + expected.length)).isEqualTo(expected);
    try (ZipInputStream zip =
        new ZipInputStream(new ByteArrayInputStream(pack(directory, ArchiveFormat.ZIP)))) {
      zip.getNextEntry();
      zip.getNextEntry();
      assertThat(zip.readAllBytes()).isEqualTo(expected);
    }
  }

  /** A step ends after a bounded amount of work, so that other users get a turn. */
  @Test
  void step_endlessFile_isCanceled() throws Exception {
    try (RandomAccessFile file =
        new RandomAccessFile(directory.resolve("sparse").toString(), "rw")) {
      file.setLength(1L << 40);
    }
    long[] written = new long[1];
    OutputStream counted =
        new OutputStream() {
          @Override
          public void write(int one) {
            written[0]++;
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            written[0] += length;
          }
        };
    Requester requester = new Requester(() -> "alice");
    try (FileHandle root = FileHandle.find(directory, "").orElseThrow();
        TreeArchive archive =
            new TreeArchive(root, "top", ArchiveFormat.TAR.packer(counted), _ -> true)) {
      assertThat(archive.step()).isTrue();
      assertThat(archive.step()).isTrue();
      assertThat(written[0]).isLessThan(8L * 1024 * 1024);
      requester.end();
      assertThatThrownBy(() -> requester.call(archive::step))
          .isInstanceOf(WorkCanceledException.class);
    }
  }

  @Test
  void isOfOneFile_outOfDescriptors_isFalse() {
    assertThat(TreeArchive.affectsOneFile(new LinuxException("open", LinuxException.EMFILE)))
        .isFalse();
    assertThat(TreeArchive.affectsOneFile(new LinuxException("open", LinuxException.ENFILE)))
        .isFalse();
    assertThat(
            TreeArchive.affectsOneFile(new FileSystemException("f", null, "Too many open files")))
        .isFalse();
    assertThat(TreeArchive.affectsOneFile(new NoSuchFileException("f"))).isTrue();
    assertThat(TreeArchive.affectsOneFile(new AccessDeniedException("f"))).isTrue();
    assertThat(TreeArchive.affectsOneFile(new LinuxException("open", LinuxException.ENOENT)))
        .isTrue();
  }
}
