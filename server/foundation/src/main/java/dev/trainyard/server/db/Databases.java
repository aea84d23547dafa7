package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Opens the database of a URL and updates its tables. */
public final class Databases {
  private static final String FILE = "trainyard.db";
  private static final String SQLITE = "jdbc:sqlite:";
  private static final String POSTGRES = "jdbc:postgresql:";

  private Databases() {}

  /** Returns the file of an SQLite URL. */
  public static Optional<Path> file(String url) {
    return url.startsWith(SQLITE)
        ? Optional.of(Path.of(url.substring(SQLITE.length())).toAbsolutePath())
        : Optional.empty();
  }

  public static Db open(String url, Path dataDirectory) {
    return open(url, dataDirectory, WriteObserver.NONE);
  }

  /** Returns whether a URL names an SQLite file that does not exist or is empty. */
  public static boolean isMissing(String url, Path dataDirectory) {
    Optional<Path> file = url.isEmpty() ? Optional.of(dataDirectory.resolve(FILE)) : file(url);
    return file.filter(Databases::isMissing).isPresent();
  }

  private static boolean isMissing(Path file) {
    try {
      return Files.size(file) == 0;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false; // Opening it reports the reason.
    }
  }

  /** Returns whether a URL names a PostgreSQL database, which several servers can reach. */
  public static boolean isPostgres(String url) {
    return url.startsWith(POSTGRES);
  }

  public static Db open(String url, Path dataDirectory, WriteObserver observer) {
    return open(url, dataDirectory, observer, Optional.empty());
  }

  /**
   * @param url a JDBC URL; empty for the SQLite file in the data directory
   * @param lease the lease of a PostgreSQL database that other servers may use
   */
  public static Db open(
      String url, Path dataDirectory, WriteObserver observer, Optional<Lease> lease) {
    if (url.isEmpty()) {
      return SqliteDb.open(dataDirectory.resolve(FILE), observer);
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
