package dev.trainyard.engine.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.testkit.FileLease;
import dev.trainyard.model.ExitReason;
import dev.trainyard.model.TaskEnd;
import dev.trainyard.model.TaskId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the files of tasks on disk, including files damaged by users or a power loss. */
class TaskRecordsTest {
  private static final TaskId TASK = TaskId.parse("01ARZ3NDEKTSV4RRFFQ69G5FAV.1.main.0");

  @TempDir Path directory;
  private DockerTaskDirectories taskDirectories;
  private DockerTaskDirectory task;

  @BeforeEach
  void setUp() throws IOException {
    taskDirectories = DockerTaskDirectories.open(directory.resolve("tasks"));
    task = taskDirectories.of(TASK);
    Files.createDirectory(task.path());
  }

  @Test
  void list_foreignFiles_areKept() throws IOException {
    Files.createDirectory(taskDirectories.path().resolve("lost+found"));
    assertThat(taskDirectories.list()).containsExactly(task);
  }

  @Test
  void end_damagedRecord_isWrittenAgain() throws IOException {
    TaskEnd end = new TaskEnd(3, ExitReason.COMMAND_FAILED, "", Instant.ofEpochMilli(7));
    task.writeEnd(end);
    assertThat(task.end()).contains(end);
    Files.writeString(task.file("end.json"), "");
    assertThat(task.end()).isEmpty();
    task.writeEnd(end);
    assertThat(task.end()).contains(end);
  }

  @Test
  void spec_damagedOrOfAnotherVersion() throws IOException {
    assertThat(StoredTask.read(task)).isEmpty();
    Files.write(task.file("spec.json"), new byte[40]);
    assertThatThrownBy(() -> StoredTask.read(task)).isInstanceOf(StoredTask.DamagedException.class);
    Files.writeString(task.file("spec.json"), "{\"network\": \"n\", \"later\": 1}");
    assertThatThrownBy(() -> StoredTask.read(task))
        .isNotInstanceOf(StoredTask.DamagedException.class)
        .hasMessageContaining("another version");
  }

  @Test
  void spec_ofThePreviousRelease_hasNoWorkingDirectory() throws IOException {
    Files.writeString(task.file("spec.json"), "{\"network\": \"n\", \"address\": \"10.0.0.2\"}");
    assertThat(StoredTask.read(task)).contains(new StoredTask(null, "n", "10.0.0.2", null, null));
  }

  @Test
  void log_extendedByItsTask_isTruncated() throws IOException {
    try (RandomAccessFile log = new RandomAccessFile(task.file("stdout").toFile(), "rw")) {
      log.setLength(1L << 40);
    }
    Files.writeString(task.file("stderr"), "short");
    LogTruncator.truncate(task.path(), 1_000);
    assertThat(task.file("stdout")).hasSize(LogStream.maxFileBytes(1_000));
    assertThat(task.file("stderr")).hasContent("short");
  }

  /** A kernel revokes a lease after 45 seconds. */
  @Test
  @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void log_leased_isTruncatedLaterWithoutWaiting() throws IOException {
    Path log = Files.write(task.file("stdout"), new byte[3 << 20]);
    try (FileLease _ = FileLease.take(log)) {
      LogTruncator.truncate(task.path(), 1_000);
      assertThat(log).hasSize(3 << 20);
      if (TestHost.USER == 0) {
        FileReclaimer.reclaim(log, ServerAccount.current());
        assertThat(Files.getAttribute(log, "unix:mode")).isEqualTo(0100600);
      }
    }
    TestHost.await(() -> size(log) == LogStream.maxFileBytes(1_000));
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void claim_copiedDirectory_getsANewId() throws IOException {
    Path firstDirectory = Files.createDirectories(directory.resolve("first/docker"));
    Labels labels = Labels.claim(firstDirectory);
    assertThat(Labels.claim(firstDirectory)).isEqualTo(labels);
    Path copiedDirectory = Files.createDirectories(directory.resolve("copy/docker"));
    for (String file : new String[] {"id", "id.place"}) {
      Files.copy(firstDirectory.resolve(file), copiedDirectory.resolve(file));
    }
    assertThat(Labels.claim(copiedDirectory)).isNotEqualTo(labels);
    Path movedDirectory = directory.resolve("moved");
    Files.move(firstDirectory, movedDirectory);
    assertThat(Labels.claim(movedDirectory)).isEqualTo(labels);
  }
}
