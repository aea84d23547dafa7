package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.LogChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads a log incrementally. The cursor is the number of bytes read so far. */
public final class LogFiles {
  private static final int CHUNK_BYTES = 64 * 1024;

  private LogFiles() {}

  /**
   * @param ended whether the task had ended before this call, so that the log is complete
   */
  public static LogChunk read(Path file, String cursor, boolean ended) throws IOException {
    long start = offset(cursor);
    ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
    boolean atEnd = true;
    try (FileChannel channel = TaskWrittenFile.openForReading(file)) {
      while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {
        // Reads until the chunk is full or the end of the file is reached.
      }
      atEnd = bytes.hasRemaining();
    } catch (NoSuchFileException e) {
      // The task has not written any output yet.
    }
    bytes.flip();
    return new LogChunk(
        bytes.asReadOnlyBuffer(), Long.toString(start + bytes.limit()), ended && atEnd);
  }

  private static long offset(String cursor) {
    if (cursor.isEmpty()) {
      return 0;
    }
    if (!cursor.matches("[0-9]{1,18}")) {
      throw new EngineException("'" + cursor + "' is not a valid log cursor");
    }
    return Long.parseLong(cursor);
  }
}
