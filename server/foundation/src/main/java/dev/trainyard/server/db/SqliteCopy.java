package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Saves a copy of the database before an upgrade, so that the upgrade can be reverted. */
final class SqliteCopy {
  private static final Logger LOG = LoggerFactory.getLogger(SqliteCopy.class);

  private SqliteCopy() {}

  /**
   * Copies the file to {@code NAME.before-vN} before its tables become version N. An existing copy
   * is kept, because it was saved before an earlier, interrupted upgrade to the same version.
   */
  static void copyBefore(DataSource source, Path file, int version) {
    Path copy = file.resolveSibling(file.getFileName() + ".before-v" + version);
    if (Files.exists(copy)) {
      return;
    }
    Path temporary = copy.resolveSibling(copy.getFileName() + ".new");
    try {
      Files.deleteIfExists(temporary);
      // Created here with restricted access, because SQLite would create a file that others can
      // read.
      Files.createFile(
          temporary,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try (Connection connection = source.getConnection();
          PreparedStatement statement = connection.prepareStatement("vacuum into ?")) {
        statement.setString(1, temporary.toString());
        statement.execute();
      }
      Files.move(temporary, copy, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | SQLException e) {
      throw new AppException(
          ErrorCode.INTERNAL,
          Message.of("config.db-copy", "file", copy.toString())
              .with("detail", String.valueOf(e.getMessage())));
    }
    LOG.info("saved a copy of the database as {} before the upgrade", copy);
  }
}
