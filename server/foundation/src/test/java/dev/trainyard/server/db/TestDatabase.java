package dev.trainyard.server.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The databases on which every store is tested. */
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

  /** Returns the URL of a new database with empty tables. */
  public abstract String createUrl();

  /** Returns a new database with empty tables; the caller must close it. */
  public Db create() {
    return reopen(createUrl());
  }

  /** Opens a database that {@link #createUrl} created. */
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
