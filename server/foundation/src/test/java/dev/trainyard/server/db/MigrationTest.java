package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Migrations that change the data of older versions. */
class MigrationTest {
  private static final int BEFORE_SIGN_IN = 27;
  private static final int BEFORE_CATALOG = 28;
  private static final String CATALOG_NAMES = "select name from catalogue_image order by name";

  /** A database with the tables of an older version. */
  private record OldDatabase(DataSource source, Dialect dialect) {
    static OldDatabase create(TestDatabase kind, int version) {
      OldDatabase database =
          switch (kind) {
            case SQLITE ->
                new OldDatabase(
                    new SqliteConnections(TemporaryDirectory.create().resolve("old.db")).source(),
                    Dialect.SQLITE);
            case POSTGRESQL -> {
              PGSimpleDataSource source = new PGSimpleDataSource();
              source.setUrl(PostgresServer.running().createEmptyDatabase());
              yield new OldDatabase(source, Dialect.POSTGRESQL);
            }
          };
      Schema.migrate(database.source, database.dialect, version);
      return database;
    }

    void execute(String sql) throws SQLException {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        statement.executeUpdate(sql);
      }
    }

    List<String> query(String sql) throws SQLException {
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
          texts.add(rows.getString(1));
        }
        return texts;
      }
    }

    void upgrade() {
      Schema.update(source, dialect, Schema.BeforeChange.NOTHING);
    }
  }

  @ParameterizedTest
  @EnumSource
  void lastSignIn_takenFromExistingSessions(TestDatabase kind) throws SQLException {
    OldDatabase database = OldDatabase.create(kind, BEFORE_SIGN_IN);
    for (String user : List.of("a", "b")) {
      database.execute(
          "insert into users (id, name, name_key, password, admin, disabled, id_range, created)"
              + " values ('U', 'U', 'U', '', 0, 0, N, 1)"
                  .replace("N", user.equals("a") ? "1" : "2")
                  .replace("U", user));
    }
    for (int time = 5; time < 8; time++) {
      database.execute(
          "insert into token (id, user_id, hash, kind, name, scope, created, expires, last_used)"
              + " values ('T', 'a', 'T', 'KIND', '', 'all', T, null, 9)"
                  .replace("KIND", time == 7 ? "application" : "session")
                  .replace("T", String.valueOf(time)));
    }
    database.upgrade();
    assertThat(database.query("select last_sign_in from users order by id"))
        .containsExactly("6", null);
  }

  @ParameterizedTest
  @EnumSource
  void catalog_neverUsed_getsInitialEntriesOnce(TestDatabase kind) throws SQLException {
    OldDatabase database = OldDatabase.create(kind, BEFORE_CATALOG);
    database.upgrade();
    assertThat(database.query(CATALOG_NAMES))
        .containsExactlyInAnyOrder(
            "deepo", "pai.example.pytorch", "pai.example.tensorflow", "ubuntu:16.04");
    database.execute("delete from catalogue_image where name <> 'deepo'");
    database.upgrade();
    assertThat(database.query(CATALOG_NAMES)).containsExactly("deepo");
  }

  @ParameterizedTest
  @EnumSource
  void catalog_filledByAdministrator_unchanged(TestDatabase kind) throws SQLException {
    OldDatabase database = OldDatabase.create(kind, BEFORE_CATALOG);
    database.execute(
        "insert into catalogue_image (name, reference, description, framework, tags, state,"
            + " proposer_id, proposer, note, changed)"
            + " values ('torch', 'lab:5000/torch:2', '', '', '[]', 'APPROVED', '', '', '', 1)");
    database.upgrade();
    assertThat(database.query(CATALOG_NAMES)).containsExactly("torch");
  }

  @ParameterizedTest
  @EnumSource
  void catalog_emptiedByAdministrator_staysEmpty(TestDatabase kind) throws SQLException {
    OldDatabase database = OldDatabase.create(kind, BEFORE_CATALOG);
    database.execute(
        "insert into audit (id, happened, user_id, user_name, token_id, address, action, target,"
            + " before_values, after_values)"
            + " values ('1', 1, '', '', '', '', 'image.delete', 'image:torch', '', '')");
    database.upgrade();
    assertThat(database.query(CATALOG_NAMES)).isEmpty();
  }
}
