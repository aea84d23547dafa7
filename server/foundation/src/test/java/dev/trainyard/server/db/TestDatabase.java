package dev.trainyard.server.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The databases every store is tested on. */
public enum TestDatabase {
  SQLITE {
    @Override
    public String createUrl() {
      try {
        Path directory = TemporaryDirectory.create();
        Files.copy(SqliteTemplate.FILE, directory.resolve("trainyard.db"));
        return "jdbc:sqlite:" + directory.resolve("trainyard.db");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  },
  POSTGRESQL {
    @Override
    public String createUrl() {
      return PostgresServer.running().createDatabase();
    }
  };

  /** The URL of a new database with empty tables. */
  public abstract String createUrl();

  /** A new database with empty tables; the caller closes it. */
  public Db create() {
    return reopen(createUrl());
  }

  /** Opens again what {@link #createUrl} made. */
  Db reopen(String url) {
    return Databases.open(url, Path.of("unused"));
  }

  /** Migrated once; the others are copies. */
  private static final class SqliteTemplate {
    private static final Path FILE = make();

    private static Path make() {
      Path file = TemporaryDirectory.create().resolve("template.db");
      SqliteDb.open(file, WriteObserver.NONE).close();
      return file;
    }
  }
}
