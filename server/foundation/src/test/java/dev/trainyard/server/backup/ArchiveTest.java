package dev.trainyard.server.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  private static final Manifest BEGUN = Manifest.initial("1.0", 2, 1_700_000_000_000L, "sqlite");
  @TempDir private Path directory;

  private Path write(ArchiveEntry... entries) throws IOException {
    Path file = directory.resolve("backup.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      writer.begin(BEGUN);
      writer.add("db/users/000001.jsonl", bytes("[\"id\"]\n"), 1);
      for (ArchiveEntry entry : entries) {
        if (entry.kind() == ArchiveEntry.Kind.FILE) {
          writer.add(entry, content(entry));
        } else {
          writer.add(entry);
        }
      }
      writer.finish(BEGUN, Map.of("users", 0L), Map.of(), 0);
    }
    return file;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static InputStream content(ArchiveEntry entry) {
    return new ByteArrayInputStream(new byte[(int) entry.size()]);
  }

  private static ArchiveEntry file(String name, long size) {
    return new ArchiveEntry(name, ArchiveEntry.Kind.FILE, 0640, 5, 6, size, 7, "");
  }

  @Test
  void read_roundTrip() throws IOException {
    String wide =
        new String(new byte[] {'h', (byte) 0xff, (byte) 0x80}, StandardCharsets.ISO_8859_1);
    List<ArchiveEntry> written =
        List.of(
            new ArchiveEntry("home", ArchiveEntry.Kind.DIRECTORY, 0700, 0, 0, 0, 1, ""),
            file("home/empty", 0),
            file("home/" + "deep/".repeat(60) + "file", 513),
            file("home/" + wide, 512),
            new ArchiveEntry(
                "home/link",
                ArchiveEntry.Kind.LINK,
                0777,
                0x70010000,
                0x70010005,
                0,
                1,
                "../" + wide),
            new ArchiveEntry(
                "home/far", ArchiveEntry.Kind.LINK, 0777, 1, 2, 0, 1, "/" + "x".repeat(300)));
    Path archive = write(written.toArray(ArchiveEntry[]::new));
    List<ArchiveEntry> read = new ArrayList<>();
    Manifest manifest =
        new ArchiveReader(archive)
            .read(
                (entry, content) -> {
                  if (entry.name().startsWith("home")) {
                    read.add(entry);
                  }
                });
    assertThat(read).isEqualTo(written);
    assertThat(manifest.version()).isEqualTo("1.0");
    assertThat(manifest.checksums()).containsKey("db/users/000001.jsonl");
  }

  @Test
  void write_archive_isReadByTar() throws Exception {
    Path archive = write(file("home/" + "deep/".repeat(60) + "file", 513));
    Process tar = new ProcessBuilder("tar", "tzf", archive.toString()).start();
    String listed = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).isZero();
    assertThat(listed.lines())
        .containsExactly(
            "trainyard-backup.json",
            "db/users/000001.jsonl",
            "home/" + "deep/".repeat(60) + "file",
            "manifest.json");
  }

  @Test
  void write_shrinkingFile_paddedWithZeros() throws IOException {
    Path file = directory.resolve("shrunk.tar.gz");
    try (OutputStream out = Files.newOutputStream(file)) {
      ArchiveWriter writer = new ArchiveWriter(out);
      writer.begin(BEGUN);
      writer.add(file("home/f", 1_000), new ByteArrayInputStream(bytes("short")));
      writer.finish(BEGUN, Map.of(), Map.of(), 0);
    }
    new ArchiveReader(file).verify();
  }

  @Test
  void verify_truncated_rejected() throws IOException {
    byte[] archiveBytes = Files.readAllBytes(write(file("home/a", 3_000)));
    Path cut = directory.resolve("cut");
    for (int length = 0; length < archiveBytes.length; length += 7) {
      Files.write(cut, java.util.Arrays.copyOf(archiveBytes, length));
      assertThatThrownBy(() -> new ArchiveReader(cut).verify())
          .as("%s bytes", length)
          .isInstanceOf(AppException.class)
          .hasMessageContaining("Nothing was changed");
    }
  }

  @Test
  void verify_anyByteChanged_rejected() throws IOException {
    Path archive = write(file("home/a", 700));
    byte[] plain;
    try (InputStream in = new java.util.zip.GZIPInputStream(Files.newInputStream(archive))) {
      plain = in.readAllBytes();
    }
    Path altered = directory.resolve("altered");
    // Excludes the padding and the two empty blocks at the end, which have no meaning.
    int home = new String(plain, StandardCharsets.ISO_8859_1).indexOf("home/a");
    for (int at :
        new int[] {
          0, 520, 1_030, home, home + 100, home + 108, home + 136, home + 512, home + 1_211
        }) {
      byte[] changed = plain.clone();
      changed[at] ^= 1;
      try (OutputStream out = new java.util.zip.GZIPOutputStream(Files.newOutputStream(altered))) {
        out.write(changed);
      }
      assertThatThrownBy(() -> new ArchiveReader(altered).verify())
          .as("byte %s", at)
          .isInstanceOf(AppException.class);
    }
  }

  @Test
  void verify_notABackup_rejected() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "hello");
    assertThatThrownBy(() -> new ArchiveReader(text).verify()).isInstanceOf(AppException.class);
    assertThatThrownBy(() -> new ArchiveReader(directory.resolve("none")).verify())
        .isInstanceOf(AppException.class)
        .hasMessageContaining("not found");
  }
}
