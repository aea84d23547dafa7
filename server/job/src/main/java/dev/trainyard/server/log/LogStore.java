package dev.trainyard.server.log;

import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TreeDeleter;
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
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What tasks printed, byte for byte, in files that the engine appends to: {@code
 * <data>/logs/<job>/<attempt>/<role>/<index>/stdout} and {@code stderr}; those of a task that was
 * tried again alone in {@code <index>r<retry>}. Thread-safe.
 */
public final class LogStore {
  private static final int PIECE = 64 * 1024;

  private final Path root;
  private final long mostPerStream;

  public LogStore(Path data) {
    this(data, new DataSize(Long.MAX_VALUE));
  }

  /**
   * @param limit of each stream. A task may write to its files itself, or make them long without
   *     writing anything: no stream counts for more when room is to be made, and nobody is shown
   *     more.
   */
  public LogStore(Path data, DataSize limit) {
    this.root = data.resolve("logs");
    this.mostPerStream = LogStream.longest(limit.bytes());
  }

  /** Where a task's streams are. */
  public Path directory(TaskId task) {
    return root.resolve(task.job().value())
        .resolve(String.valueOf(task.attempt()))
        .resolve(fileName(task.role()))
        .resolve(task.index() + (task.retry() == 0 ? "" : "r" + task.retry()));
  }

  /** A role may be called "..". */
  private static String fileName(String role) {
    return role.startsWith(".") ? "%2E" + role.substring(1) : role;
  }

  private Path file(TaskId task, LogStream stream) {
    return directory(task).resolve(stream.fileName());
  }

  /** How many bytes there are now; 0 if nothing was printed yet. */
  public long length(TaskId task, LogStream stream) throws IOException {
    try {
      return Math.min(Files.size(file(task, stream)), mostPerStream);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /**
   * Copies what there is between two offsets.
   *
   * @return the offset behind the last byte that was copied
   */
  public long copy(TaskId task, LogStream stream, long from, long to, Reply.Sink sink)
      throws IOException {
    long position = from;
    long end = Math.min(to, mostPerStream);
    try (SeekableByteChannel file =
        Files.newByteChannel(
            file(task, stream), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      file.position(from);
      ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE, Math.max(1, end - from)));
      while (position < end) {
        piece.clear().limit((int) Math.min(piece.capacity(), end - position));
        int count = file.read(piece);
        if (count < 0) {
          break;
        }
        sink.write(piece.array(), 0, count);
        position += count;
      }
    } catch (NoSuchFileException e) {
      // Nothing was printed yet.
    }
    return position;
  }

  /** The bytes from an offset on, so many at most. */
  public byte[] read(TaskId task, LogStream stream, long from, int most) throws IOException {
    Path path = file(task, stream);
    if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      return new byte[0];
    }
    try (SeekableByteChannel file =
        Files.newByteChannel(path, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      file.position(from);
      long there = Math.min(file.size(), mostPerStream) - from;
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.clamp(there, 0, (long) most));
      while (bytes.hasRemaining() && file.read(bytes) >= 0) {
        // goes on until there is no more
      }
      return Arrays.copyOf(bytes.array(), bytes.position());
    } catch (NoSuchFileException e) {
      return new byte[0];
    }
  }

  /** Every job that has a directory here, with the bytes in it, as far as they count. */
  public void each(BiConsumer<JobId, Long> consumer) throws IOException {
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
            bytes[0] += Math.min(attributes.size(), mostPerStream);
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
   * Whether a stream can be read as far as it goes. A task may have closed it to the server's
   * account; asked before an answer begins, which could only break off later.
   */
  public boolean isReadable(TaskId task, LogStream stream) {
    try (SeekableByteChannel _ =
        Files.newByteChannel(
            file(task, stream), Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
      return true;
    } catch (NoSuchFileException e) {
      return true; // Nothing was printed yet.
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns where all logs of a job are. */
  public Path directory(JobId job) {
    return root.resolve(job.value());
  }

  /** Deletes all logs of a job that is over. */
  public void delete(JobId job) {
    TreeDeleter.delete(directory(job));
  }
}
