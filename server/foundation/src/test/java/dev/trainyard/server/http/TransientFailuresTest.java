package dev.trainyard.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import org.jdbi.v3.core.transaction.TransactionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class TransientFailuresTest {
  private static Optional<ErrorCode> code(Throwable failure) {
    return TransientFailures.of(failure, "id").map(AppException::code);
  }

  @ParameterizedTest
  @CsvSource({
    "SQLITE_BUSY, UNAVAILABLE",
    "SQLITE_BUSY_SNAPSHOT, UNAVAILABLE",
    "SQLITE_LOCKED, UNAVAILABLE",
    "SQLITE_IOERR_WRITE, UNAVAILABLE",
    "SQLITE_CANTOPEN, UNAVAILABLE",
    "SQLITE_FULL, DISK_FULL",
  })
  void of_sqlite(SQLiteErrorCode code, ErrorCode expected) {
    assertThat(code(new TransactionException("x", new SQLiteException("x", code))))
        .contains(expected);
  }

  @ParameterizedTest
  @CsvSource({"08006, UNAVAILABLE", "57P01, UNAVAILABLE", "53300, UNAVAILABLE", "53100, DISK_FULL"})
  void of_postgres(String state, ErrorCode expected) {
    assertThat(code(new RuntimeException(new SQLException("x", state)))).contains(expected);
  }

  @Test
  void of_pool() {
    assertThat(code(new SQLTransientConnectionException("timed out")))
        .contains(ErrorCode.UNAVAILABLE);
  }

  @Test
  void of_files() {
    IOException full = new FileSystemException("/data/x", null, "No space left on device");
    assertThat(code(new UncheckedIOException(full))).contains(ErrorCode.DISK_FULL);
  }

  @Test
  void of_programmingErrors_isEmpty() {
    assertThat(code(new IllegalStateException("x"))).isEmpty();
    assertThat(code(new SQLException("syntax", "42601"))).isEmpty();
    assertThat(code(new SQLiteException("x", SQLiteErrorCode.SQLITE_CONSTRAINT))).isEmpty();
    assertThat(code(new IOException("broken pipe"))).isEmpty();
  }
}
