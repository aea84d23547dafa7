package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class PostgresOutageTest {
  private final PostgresProxy proxy = new PostgresProxy(TestDatabase.POSTGRESQL.createUrl());
  private final PostgresDb db =
      PostgresDb.open(proxy.url() + "&socketTimeout=2", WriteObserver.NONE);

  @AfterEach
  void close() throws IOException {
    proxy.set(PostgresProxy.Mode.PASS);
    db.close();
    proxy.close();
  }

  private int insert(String name) {
    return db.write(
        handle -> handle.execute("insert into counter (name, next_value) values (?, 1)", name));
  }

  private long count(String name) {
    return db.read(
        handle ->
            handle
                .createQuery("select count(*) from counter where name = :name")
                .bind("name", name)
                .mapTo(Long.class)
                .one());
  }

  @Test
  void write_responseOfCommitLost_reportedAsStored() throws Exception {
    proxy.set(PostgresProxy.Mode.DROP_COMMIT_ANSWER);
    assertThat(insert("stored")).isEqualTo(1);
    proxy.set(PostgresProxy.Mode.PASS);
    assertThat(count("stored")).isEqualTo(1);
    assertThat(db.unknownOutcomes()).isZero();
  }

  @Test
  void write_commitLost_reportedAsNotStored() throws Exception {
    proxy.set(PostgresProxy.Mode.DROP_COMMIT);
    assertThatThrownBy(() -> insert("lost"))
        .satisfies(e -> assertThat(Outages.kind(e)).isEqualTo(Optional.of(Outages.Kind.AWAY)));
    proxy.set(PostgresProxy.Mode.PASS);
    assertThat(count("lost")).isZero();
  }

  @Test
  void write_databaseUnavailableAfterCommit_reportedAsUnknown() throws Exception {
    assertThatThrownBy(
            () ->
                db.write(
                    handle -> {
                      handle.execute(
                          "insert into counter (name, next_value) values ('perhaps', 1)");
                      hangConnections();
                      return 1;
                    }))
        .isInstanceOf(UnknownOutcomeException.class);
    assertThat(db.unknownOutcomes()).isEqualTo(1);
  }

  private void hangConnections() {
    try {
      proxy.set(PostgresProxy.Mode.HANG);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void read_silentConnection_timesOut() throws Exception {
    assertThatThrownBy(
            () ->
                db.read(
                    handle -> {
                      hangConnections();
                      return handle.createQuery("select 1").mapTo(Integer.class).one();
                    }))
        .satisfies(e -> assertThat(Outages.kind(e)).isEqualTo(Optional.of(Outages.Kind.AWAY)));
    proxy.set(PostgresProxy.Mode.PASS);
    assertThat(count("none")).isZero();
  }

  @Test
  void connections_haveTimeoutsAndTheRightIsolation() {
    String written =
        db.write(
            handle ->
                show(handle, "statement_timeout") + " " + show(handle, "transaction_isolation"));
    assertThat(written).isEqualTo("1500ms serializable");
    String read =
        db.read(
            handle ->
                show(handle, "transaction_read_only")
                    + " "
                    + show(handle, "transaction_isolation"));
    assertThat(read).isEqualTo("on repeatable read");
  }

  private static String show(org.jdbi.v3.core.Handle handle, String name) {
    return handle.createQuery("show " + name).mapTo(String.class).one();
  }

  @Test
  void unlimited_migrationsHaveNoTimeout() throws Exception {
    try (Connection connection =
            new PostgresConnections(proxy.url()).withoutTimeouts().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery("show statement_timeout")) {
      rows.next();
      assertThat(rows.getString(1)).isEqualTo("0");
      assertThat(connection.getNetworkTimeout()).isZero();
    }
  }
}
