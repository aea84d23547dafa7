package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Verifies that every table created by a migration is found; otherwise it would be missing in
 * backups.
 */
@EveryDatabase
class TableTest {
  private static List<Table> tables(Db db) {
    return db.read(
        handle -> {
          try {
            return Table.list(handle.getConnection());
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static Set<String> tableNamesFromCatalog(Db db, TestDatabase database) {
    String sql =
        database == TestDatabase.SQLITE
            ? "select name from sqlite_master where type = 'table' and name not like 'sqlite%'"
            : "select table_name from information_schema.tables where table_schema = 'public'";
    return db.read(
        handle ->
            handle
                .createQuery(sql)
                .mapTo(String.class)
                .filter(name -> !name.equals("flyway_schema_history"))
                .collectIntoSet());
  }

  @Test
  void list_everyTable_once(Db db, TestDatabase database) {
    assertThat(tables(db).stream().map(Table::name))
        .containsExactlyInAnyOrderElementsOf(tableNamesFromCatalog(db, database))
        .contains("users", "token", "job", "job_config", "attempt", "task", "counter");
  }

  @Test
  void list_newTable_foundAutomatically(Db db) {
    db.write(
        handle ->
            handle.execute(
                "create table a_new_one (id text primary key, job_id text references job (id))"));
    List<String> names = tables(db).stream().map(Table::name).toList();
    assertThat(names.indexOf("a_new_one")).isGreaterThan(names.indexOf("job"));
  }

  @Test
  void list_columns_complete(Db db) {
    Table users =
        tables(db).stream().filter(table -> table.name().equals("users")).findFirst().orElseThrow();
    assertThat(users.columns().keySet())
        .containsExactly(
            "id",
            "name",
            "name_key",
            "password",
            "admin",
            "disabled",
            "id_range",
            "created",
            "email",
            "display_name",
            "language",
            "extension",
            "last_sign_in");
    List<String> names = tables(db).stream().map(Table::name).toList();
    assertThat(names.indexOf("token")).isGreaterThan(names.indexOf("users"));
    assertThat(names.indexOf("task")).isGreaterThan(names.indexOf("job"));
  }
}
