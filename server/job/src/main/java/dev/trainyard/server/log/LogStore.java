package dev.trainyard.server.log;

import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TreeDeleter;
import dev.trainyard.engine.linux.TaskWrittenFile;
import dev.trainyard.model.DataSize;
import dev.trainyard.model.JobId;
import dev.trainyard.model.TaskId;
import dev.trainyard.model.Ulid;
import dev.trainyard.server.http.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.function.BiConsumer;

/**
 * The output of tasks, byte for byte. The engine appends the output to the files {@code
 * <data>/logs/<job>/<attempt>/<role>/<index>/stdout} and {@code stderr}; if the task was retried
 * individually, the name of the directory is {@code <index>r<retry>}. Thread-safe.
 */
public final class LogStore {
  private static final int CHUNK_SIZE = 64 * 1024;

  private final Path root;
  private final long maxBytesPerStream;

  public LogStore(Path data) {
    this(data, new DataSize(Long.MAX_VALUE));
  }

  /**
   * @param limit maximum size of each stream. A task may write to its log files directly, or extend
   *     these files without writing data, so bytes beyond this limit are neither counted for
   *     retention nor shown.
   */
  public LogStore(Path data, DataSize limit) {
    this.root = data.resolve("logs");
    this.maxBytesPerStream = LogStream.maxFileBytes(limit.bytes());
  }

  /** Returns the directory of a task's streams. */
  public Path directory(TaskId task) {
    return root.resolve(task.job().value())
        .resolve(String.valueOf(task.attempt()))
        .resolve(fileName(task.role()))
        .resolve(task.index() + (task.retry() == 0 ? "" : "r" + task.retry()));
  }

  /** Escapes a leading dot, because a role may be called "..". */
  private static String fileName(String role) {
    return role.startsWith(".") ? "%2E" + role.substring(1) : role;
  }

  private Path file(TaskId task, LogStream stream) {
    return directory(task).resolve(stream.fileName());
  }

  /** Returns the current number of bytes; 0 if nothing was printed yet. */
  public long length(TaskId task, LogStream stream) throws IOException {
    try {
      return Math.min(Files.size(file(task, stream)), maxBytesPerStream);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /**
   * Copies the available bytes between two offsets.
   *
   * @return the offset after the last byte that was copied
   */
  public long copy(TaskId task, LogStream stream, long from, long to, Reply.Sink sink)
      throws IOException {
    long position = from;
    long end = Math.min(to, maxBytesPerStream);
    try (SeekableByteChannel file =
        TaskWrittenFile.openForReading(file(task, stream), LinkOption.NOFOLLOW_LINKS)) {
      file.position(from);
      ByteBuffer chunk = ByteBuffer.allocate((int) Math.min(CHUNK_SIZE, Math.max(1, end - from)));
      while (position < end) {
        chunk.clear().limit((int) Math.min(chunk.capacity(), end - position));
        int count = file.read(chunk);
        if (count < 0) {
          break;
        }
        sink.write(chunk.array(), 0, count);
        position += count;
      }
    } catch (NoSuchFileException e) {
      // Nothing was printed yet.
    }
    return position;
  }

  /** Reads at most {@code maxBytes} bytes from an offset. */
  public byte[] read(TaskId task, LogStream stream, long from, int maxBytes) throws IOException {
    Path path = file(task, stream);
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return new byte[0];
    }
    try (SeekableByteChannel file =
        TaskWrittenFile.openForReading(path, LinkOption.NOFOLLOW_LINKS)) {
      file.position(from);
      long availableBytes = Math.min(file.size(), maxBytesPerStream) - from;
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.clamp(availableBytes, 0, (long) maxBytes));
      while (bytes.hasRemaining() && file.read(bytes) >= 0) {
        // read until the buffer is full or the file ends
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
  }

  /**
   * Passes every job that has a log directory to the consumer, with the size of its logs; each
   * stream is counted only up to the limit.
   */
  public void forEachJob(BiConsumer<JobId, Long> consumer) throws IOException {
    try (DirectoryStream<Path> jobs = Files.newDirectoryStream(root)) {
      for (Path job : jobs) {
        if (Ulid.isValid(job.getFileName().toString())) {
          consumer.accept(new JobId(job.getFileName().toString()), size(job));
        }
      }
    } catch (NoSuchFileException e) {
      // No task has printed anything yet.
    }
  }

  private long size(Path directory) throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes[0] += Math.min(attributes.size(), maxBytesPerStream);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes[0];
  }

  /**
   * Returns whether a stream is readable. A task may have revoked the server's access to the file.
   * Must be called before a response begins, because a later error could only abort the response.
   */
  public boolean isReadable(TaskId task, LogStream stream) {
    try (SeekableByteChannel _ =
        TaskWrittenFile.openForReading(file(task, stream), LinkOption.NOFOLLOW_LINKS)) {
      return true;
    } catch (NoSuchFileException e) {
      return true; // Nothing was printed yet.
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the directory of all logs of a job. */
  public Path directory(JobId job) {
    return root.resolve(job.value());
  }

  /** Deletes all logs of a finished job. */
  public void delete(JobId job) {
    TreeDeleter.delete(directory(job));
  }
}
