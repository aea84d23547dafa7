package dev.trainyard.server.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.IdRange;
import dev.trainyard.engine.linux.VolumeSource;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The contract on a file system that does not support files without a name. */
class HiddenStagingTest extends StorageContract {
  private Instant now = Instant.now();

  @Override
  Storage storage() {
    boolean isRoot = StorageRoots.isRoot();
    StorageRoots roots =
        new StorageRoots(
            user -> new Volume(data.resolve(user.name()), "/userhome", Volume.Access.OWNED),
            false,
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
            isRoot);
    return new DirectoryStorage("home", roots, true, false, () -> now);
  }

  @Override
  Path directory() {
    return data.resolve("alice");
  }

  @Test
  void write_stagedFile_isHiddenAndCannotBeNamed() throws IOException {
    try (Upload upload = storage().write(ALICE, path("file"), false)) {
      upload.write(ByteBuffer.wrap(new byte[10]));
      String hidden;
      try (var files = Files.list(directory())) {
        hidden = files.findFirst().orElseThrow().getFileName().toString();
      }
      assertThat(names(ALICE, "")).isEmpty();
      assertFails(ErrorCode.BAD_REQUEST, () -> read(ALICE, hidden));
      upload.commit();
    }
    assertThat(names(ALICE, "")).containsExactly("file");
  }

  @Test
  void list_stagedFileOfKilledServer_isDeletedAfterADay() throws IOException {
    write("file", "text");
    Path recent = Files.createFile(directory().resolve(StagingName.next()));
    Path old = Files.createFile(directory().resolve(StagingName.next()));
    Path oldDirectory = Files.createDirectory(directory().resolve(StagingName.next()));
    Path otherName = Files.createFile(directory().resolve(".trainyard-upload-notes"));
    Files.setLastModifiedTime(recent, FileTime.from(now.plus(Duration.ofHours(2))));
    now = now.plus(Duration.ofHours(23));
    assertThat(names(ALICE, "")).containsExactly("file");
    assertThat(old).exists();
    now = now.plus(Duration.ofHours(2));
    assertThat(names(ALICE, "")).containsExactly("file");
    assertThat(old).doesNotExist();
    assertThat(recent).exists();
    assertThat(oldDirectory).exists();
    assertThat(otherName).exists();
  }
}
