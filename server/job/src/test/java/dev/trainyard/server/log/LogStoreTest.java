package dev.trainyard.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.engine.LogStream;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A task may write to its log directly, or extend it without writing data. */
class LogStoreTest {
  private static final TaskId TASK =
      new TaskId(new JobId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), 1, "main", 0);
  private static final long LONGEST = LogStream.maxFileBytes(1_000);

  @TempDir private Path data;
  private LogStore store;

  @BeforeEach
  void makeLong() throws IOException {
    store = new LogStore(data, new DataSize(1_000));
    Path file = Files.createDirectories(store.directory(TASK)).resolve("stdout");
    Files.writeString(file, "begins");
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "rw")) {
      log.setLength(1L << 40);
    }
  }

  @Test
  void length_extendedFile_isLimited() throws IOException {
    assertThat(store.length(TASK, LogStream.STDOUT)).isEqualTo(LONGEST);
    assertThat(store.length(TASK, LogStream.STDERR)).isZero();
  }

  @Test
  void copy_extendedFile_endsAtLimit() throws IOException {
    AtomicLong got = new AtomicLong();
    Reply.Sink sink =
        new Reply.Sink() {
          @Override
          public void write(byte[] bytes, int offset, int length) {
            got.addAndGet(length);
          }

          @Override
          public boolean closed() {
            return false;
          }
        };
    assertThat(store.copy(TASK, LogStream.STDOUT, 0, Long.MAX_VALUE, sink)).isEqualTo(LONGEST);
    assertThat(got).hasValue(LONGEST);
    assertThat(store.copy(TASK, LogStream.STDOUT, LONGEST, Long.MAX_VALUE, sink))
        .isEqualTo(LONGEST);
    assertThat(got).hasValue(LONGEST);
  }

  @Test
  void read_afterLimit_isEmpty() throws IOException {
    assertThat(store.read(TASK, LogStream.STDOUT, 0, 6)).asString().isEqualTo("begins");
    assertThat(store.read(TASK, LogStream.STDOUT, LONGEST - 2, 100)).hasSize(2);
    assertThat(store.read(TASK, LogStream.STDOUT, LONGEST + 2, 100)).isEmpty();
  }
}
