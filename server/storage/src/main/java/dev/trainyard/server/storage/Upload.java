package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A file that is being written and not visible yet. Closing it before the commit discards it. Not
 * thread-safe.
 */
public interface Upload extends AutoCloseable {
  /** Appends all remaining bytes. */
  void write(ByteBuffer bytes) throws IOException;

  /** Makes the file visible under its path. Returns its attributes. */
  FileHandle.Attributes commit() throws IOException;

  @Override
  void close() throws IOException;
}
