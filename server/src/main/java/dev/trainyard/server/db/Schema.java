package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;

/**
 * Brings the tables up to date. Loading Flyway costs more than all else at a start, so a database
 * that is already right never sees it.
 */
final class Schema {
  /** The number of the newest file in db/migration; a test compares them. */
  static final int NEWEST = 3;

  private Schema() {}

  /**
   * @param binaryCollation what makes a text column compare byte by byte; migrations write it as
   *     {@code ${binary}} where order or prefix search matters
   */
  static void update(DataSource source, String binaryCollation) {
    int found = version(source);
    if (found > NEWEST) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("config.db-newer", "found", found).with("known", NEWEST));
    }
    if (found < NEWEST) {
      Flyway.configure()
          .dataSource(source)
          .locations("classpath:db/migration")
          .placeholders(Map.of("binary", binaryCollation))
          .load()
          .migrate();
    }
  }

  /**
   * The version of the tables; -1 where Flyway has to look, because there are none or a failed one.
   */
  private static int version(DataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        var rows =
            statement.executeQuery(
                "select version, success from flyway_schema_history where version is not null")) {
      int newest = -1;
      while (rows.next()) {
        if (!rows.getBoolean(2)) {
          return -1;
        }
        newest = Math.max(newest, Integer.parseInt(rows.getString(1)));
      }
      return newest;
    } catch (SQLException e) {
      return -1;
    }
  }
}
