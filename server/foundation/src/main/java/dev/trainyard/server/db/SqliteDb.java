package dev.trainyard.server.db;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQLite database in a file: one writer that commits many writes at once, and concurrent readers.
 */
public final class SqliteDb implements Db {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteDb.class);

  private final SqliteWriter writer;
  private final SqliteReaders readers;
  private final SqliteReserve reserve;
  private final Handle anchor;

  /**
   * @param anchor a connection that stays open. When the last connection is closed, SQLite deletes
   *     the write-ahead log, and on a full disk its space could not be reserved again.
   */
  private SqliteDb(
      Path file, SqliteConnections connections, Handle anchor, WriteObserver observer) {
    this.anchor = anchor;
    this.writer = new SqliteWriter(connections, observer);
    this.readers = new SqliteReaders(connections);
    this.reserve = new SqliteReserve(file);
  }

  public static SqliteDb open(Path file, WriteObserver observer) {
    DatabaseFile.makePrivate(file);
    try {
      OpenedDatabase opened = openFirst(file);
      SqliteConnections connections = opened.connections();
      try {
        Schema.update(
            connections.source(),
            Dialect.SQLITE,
            (foundVersion, targetVersion) ->
                SqliteCopy.copyBefore(connections.source(), file, targetVersion));
        // A connection to a new file uses the write-ahead log only after its first read.
        SqliteConnections.run(opened.anchor(), "select 1 from sqlite_master");
        return new SqliteDb(file, connections, opened.anchor(), observer);
      } catch (RuntimeException | Error e) {
        opened.anchor().close();
        throw e;
      }
    } catch (RuntimeException e) {
      throw StartFailure.sqlite(file.toString(), e);
    }
  }

  /** Connections to a file; {@code anchor} is the first of them and is open. */
  private record OpenedDatabase(SqliteConnections connections, Handle anchor) {}

  /**
   * Opens the first connection. After a crash SQLite recreates the index of the write-ahead log,
   * which fails on a full disk; in that case the index is kept in memory.
   */
  private static OpenedDatabase openFirst(Path file) {
    SqliteConnections connections = new SqliteConnections(file);
    try {
      return new OpenedDatabase(connections, connections.openForReading());
    } catch (ConnectionException e) {
      if (!StartFailure.isDiskFull(e) || file.toFile().length() == 0) {
        throw e;
      }
      SqliteConnections fallback = SqliteConnections.withoutIndexFile(file);
      Handle anchor = openOrThrow(fallback, e);
      LOG.warn(
          "failed to create the index of {} because its disk is full; other programs cannot open"
              + " the database until the server has been restarted",
          file);
      return new OpenedDatabase(fallback, anchor);
    }
  }

  private static Handle openOrThrow(SqliteConnections connections, ConnectionException failure) {
    try {
      return connections.openForReading();
    } catch (ConnectionException e) {
      failure.addSuppressed(e);
      throw failure;
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
    anchor.close();
    writer.close();
    readers.close();
    reserve.close();
  }

  /**
   * Waits even if the thread is interrupted: the write is queued and will be executed, and a caller
   * that returned early would not know whether the write succeeded.
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
