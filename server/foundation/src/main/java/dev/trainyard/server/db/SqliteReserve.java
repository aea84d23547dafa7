package dev.trainyard.server.db;

import dev.trainyard.engine.linux.FileReserve;
import dev.trainyard.engine.linux.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disk space that only the database can use. On a full disk, it allows administrators to sign in
 * and to stop the task that fills the disk, and the server to record how tasks end. The space is
 * sufficient because submissions are rejected while the disk is full. Thread-safe.
 */
final class SqliteReserve implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteReserve.class);

  /**
   * Bytes to reserve, by file name suffix. A few megabytes are enough for the write-ahead log,
   * because SQLite reuses it from its start after each checkpoint.
   */
  private static final Map<String, Long> RESERVED_BYTES_BY_SUFFIX =
      Map.of("", 8L << 20, "-wal", 8L << 20);

  private final Path file;
  private final List<FileReserve> reserves = new ArrayList<>();
  private boolean closed;

  /**
   * @param file the database file. A connection must be open whenever {@link #topUp} is called,
   *     because SQLite deletes the write-ahead log when the last connection is closed.
   */
  SqliteReserve(Path file) {
    this.file = file;
  }

  synchronized void topUp() {
    if (closed) {
      return;
    }
    try {
      if (reserves.isEmpty()) {
        open();
      }
      for (FileReserve reserve : reserves) {
        reserve.topUp();
      }
    } catch (LinuxException e) {
      // On a full disk the reserve stays unchanged; some file systems do not support reserving.
      LOG.debug("failed to reserve disk space for the database: {}", e.getMessage());
    } catch (IOException e) {
      LOG.warn("failed to reserve disk space for the database", e);
    }
  }

  private void open() throws IOException {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    if (!Files.exists(log)) {
      return; // nothing was written yet
    }
    for (Map.Entry<String, Long> entry : RESERVED_BYTES_BY_SUFFIX.entrySet()) {
      Path path = file.resolveSibling(file.getFileName() + entry.getKey());
      reserves.add(FileReserve.open(path, entry.getValue()));
    }
  }

  /** Must be called after the last connection was closed; see {@link FileReserve}. */
  @Override
  public synchronized void close() {
    closed = true;
    reserves.forEach(FileReserve::close);
    reserves.clear();
  }
}
