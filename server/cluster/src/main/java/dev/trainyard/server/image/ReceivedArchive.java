package dev.trainyard.server.image;

import dev.trainyard.server.work.WorkPools;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.zip.GZIPInputStream;

/**
 * A request body that is stored in an unnamed file. A pooled thread, which must not wait for a
 * client, can then decode it. The file is deleted when this object is closed or the process ends.
 * Must be used by one thread at a time.
 */
final class ReceivedArchive implements AutoCloseable {
  private static final int CHUNK_SIZE = 256 << 10;
  private static final int BUFFER_SIZE = 1 << 16;
  private static final long CHECK_EVERY_BYTES = 64L << 20;

  private final FileChannel file;

  private ReceivedArchive(FileChannel file) {
    this.file = file;
  }

  /**
   * Stores a body. The calling thread waits for the client; only the writes run on pooled threads.
   *
   * @param requireSpace throws if the disk is nearly full
   */
  static ReceivedArchive store(InputStream body, Path directory, Runnable requireSpace)
      throws IOException {
    FileChannel file =
        FileChannel.open(
            directory.resolve("." + UUID.randomUUID()),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    boolean stored = false;
    try {
      byte[] chunk = new byte[CHUNK_SIZE];
      long size = 0;
      for (int count = body.readNBytes(chunk, 0, CHUNK_SIZE); count > 0; ) {
        if (size % CHECK_EVERY_BYTES == 0) {
          requireSpace.run();
        }
        ByteBuffer bytes = ByteBuffer.wrap(chunk, 0, count);
        WorkPools.FILES.<Integer, IOException>resume(() -> writeAll(file, bytes));
        size += count;
        count = body.readNBytes(chunk, 0, CHUNK_SIZE);
      }
      file.position(0);
      stored = true;
      return new ReceivedArchive(file);
    } finally {
      if (!stored) {
        file.close();
      }
    }
  }

  private static int writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
    return bytes.position();
  }

  /**
   * Returns the content, decompressed if it is compressed with gzip. Must be called at most once.
   */
  InputStream decoded() throws IOException {
    BufferedInputStream in = new BufferedInputStream(Channels.newInputStream(file), BUFFER_SIZE);
    in.mark(2);
    boolean gzip = in.read() == 0x1F && in.read() == 0x8B;
    in.reset();
    return gzip ? new BufferedInputStream(new GZIPInputStream(in, BUFFER_SIZE), BUFFER_SIZE) : in;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
