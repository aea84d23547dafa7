package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Opens the database of a URL and updates its tables. */
public final class Databases {
  private static final String FILE_NAME = "trainyard.db";
  private static final String SQLITE_PREFIX = "jdbc:sqlite:";
  private static final String POSTGRES_PREFIX = "jdbc:postgresql:";

  /** Maximum number of symbolic links that Linux follows in one path. */
  private static final int MAX_LINKS = 40;

  private Databases() {}

  /** Returns the file of an SQLite URL. */
  public static Optional<Path> file(String url) {
    return url.startsWith(SQLITE_PREFIX)
        ? Optional.of(Path.of(url.substring(SQLITE_PREFIX.length())).toAbsolutePath())
        : Optional.empty();
  }

  public static Db open(String url, Path dataDirectory) {
    return open(url, dataDirectory, WriteObserver.NONE);
  }

  /** Returns the SQLite file of a URL; an empty URL means the file in the data directory. */
  private static Optional<Path> file(String url, Path dataDirectory) {
    return url.isEmpty() ? Optional.of(dataDirectory.resolve(FILE_NAME)) : file(url);
  }

  /**
   * Returns the real path of the SQLite file of a URL. The file need not exist. Empty for another
   * database, or if the directory of the file does not exist.
   */
  public static Optional<Path> realFile(String url, Path dataDirectory) {
    // The driver treats the text after a question mark as parameters.
    return file(url.split("\\?", 2)[0], dataDirectory).flatMap(Databases::realPath);
  }

  private static Optional<Path> realPath(Path configured) {
    try {
      Path file = configured;
      for (int links = 0; links < MAX_LINKS && Files.isSymbolicLink(file); links++) {
        file = file.resolveSibling(Files.readSymbolicLink(file));
      }
      Path directory = file.toAbsolutePath().getParent();
      return directory == null
          ? Optional.empty()
          : Optional.of(directory.toRealPath().resolve(file.getFileName()));
    } catch (IOException e) {
      return Optional.empty(); // Opening the database reports the reason.
    }
  }

  /**
   * Returns whether a URL names an SQLite file that does not exist, is empty or has no tables of
   * this program. The caller must hold the lock of the file.
   */
  public static boolean isMissing(String url, Path dataDirectory) {
    return file(url, dataDirectory).filter(Databases::isMissing).isPresent();
  }

  private static boolean isMissing(Path file) {
    try {
      return Files.size(file) == 0 || hasNoTables(file);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false; // Opening the database reports the reason.
    }
  }

  private static boolean hasNoTables(Path file) {
    try (Connection connection = SqliteConnections.readOnly(file).source().getConnection()) {
      return !Schema.hasHistory(connection);
    } catch (SQLException e) {
      return false; // Opening the database reports the reason.
    }
  }

  /**
   * Returns the names of the files of an SQLite database: the database file, its write-ahead log,
   * its index and its journal. Empty if the database file is missing or empty, or for another
   * database.
   */
  public static Set<String> fileNames(String url, Path dataDirectory) {
    return file(url, dataDirectory)
        .filter(file -> file.toFile().length() > 0)
        .map(file -> file.getFileName().toString())
        .map(name -> Set.of(name, name + "-wal", name + "-shm", name + "-journal"))
        .orElse(Set.of());
  }

  /** Returns whether a URL names a PostgreSQL database, which several servers can reach. */
  public static boolean isPostgres(String url) {
    return url.startsWith(POSTGRES_PREFIX);
  }

  public static Db open(String url, Path dataDirectory, WriteObserver observer) {
    return open(url, dataDirectory, observer, Optional.empty());
  }

  /**
   * @param url a JDBC URL; empty for the SQLite file in the data directory
   * @param lease the lease that every write checks, if other servers may use the PostgreSQL
   *     database
   */
  public static Db open(
      String url, Path dataDirectory, WriteObserver observer, Optional<Lease> lease) {
    if (url.isEmpty()) {
      return SqliteDb.open(dataDirectory.resolve(FILE_NAME), observer);
    }
    if (file(url).isPresent()) {
      return SqliteDb.open(file(url).get(), observer);
    }
    if (isPostgres(url)) {
      return PostgresDb.open(
          url, observer, lease.<WriteFence>map(held -> held).orElse(WriteFence.NONE));
    }
    // The URL may contain a password, so only its beginning is shown.
    String kind = url.substring(0, Math.min(url.length(), Math.max(0, url.indexOf(':', 5)) + 1));
    throw new AppException(
        ErrorCode.BAD_REQUEST,
        Message.of("config.db-unknown", "kind", kind.isEmpty() ? "?" : kind));
  }
}
