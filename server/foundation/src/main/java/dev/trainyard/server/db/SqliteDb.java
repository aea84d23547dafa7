package dev.trainyard.server.db;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * SQLite database in a file: one writer that commits many writes at once, and concurrent readers.
 */
public final class SqliteDb implements Db {
  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final SqliteReserve reserve;

  private SqliteDb(Path file, SqliteConnections connections, WriteObserver observer) {
    this.writer = new SqliteWriter(connections, observer);
    this.readers = new SqliteReaders(connections);
    this.reserve = new SqliteReserve(file);
  }

  public static SqliteDb open(Path file, WriteObserver observer) {
    DatabaseFile.makePrivate(file);
    SqliteConnections connections = new SqliteConnections(file);
    try {
      Schema.update(
          connections.source(),
          Dialect.SQLITE,
          (foundVersion, targetVersion) ->
              SqliteCopy.copyBefore(connections.source(), file, targetVersion));
      return new SqliteDb(file, connections, observer);
    } catch (RuntimeException e) {
      throw StartFailure.sqlite(file.toString(), e);
    }
  }

  @Override
  public <T> T write(Transaction<T> transaction) {
    return await(writer.submit(transaction));
  }

  @Override
  public <T> T read(Transaction<T> transaction) {
    return readers.read(transaction);
  }

  /** Returns the number of writes that wait for the writer. */
  @Override
  public int pendingWrites() {
    return writer.queuedWrites();
  }

  @Override
  public void reserveSpace() {
    reserve.topUp();
  }

  @Override
  public void close() {
    writer.close();
    readers.close();
    reserve.close();
  }

  /**
   * Waits even if the thread is interrupted: the write is queued and will be executed, and a caller
   * that returned early would not know whether it was.
   */
  private static <T> T await(CompletableFuture<T> result) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw unchecked(e.getCause());
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException failure ? failure : new CompletionException(cause);
  }
}
