package dev.trainyard.server.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.trainyard.model.AppException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LeaseTest {
  private static final Lease.Claim FIRST = claim("first", "host 1:1");
  private static final Lease.Claim SECOND = claim("second", "host 1:2");
  private static final Lease.Claim STANDBY = claim("standby", "host 1:1");

  private static final Lease.Origin SAME = new Lease.Origin(true, "");
  private static final Lease.Origin EMPTY = new Lease.Origin(false, "");

  private final String url = TestDatabase.POSTGRESQL.createUrl();

  private static Lease.Claim claim(String holder, String directory) {
    return new Lease.Claim(holder, "installation", directory, "boot");
  }

  private Db open(Lease lease) {
    return Databases.open(url, Path.of("unused"), WriteObserver.NONE, Optional.of(lease));
  }

  /** Simulates that the holder was paused for longer than the lease lasts. */
  private void expireLease() throws SQLException {
    execute("update server_lease set expires_at = 1");
  }

  private static LeaseWatch watch() {
    return new LeaseWatch(System::nanoTime);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private Lease takeOver() throws SQLException {
    while (true) {
      expireLease();
      Optional<Lease> lease = Lease.acquireExpired(url, STANDBY, watch(), holder -> {});
      if (lease.isPresent()) {
        return lease.get();
      }
    }
  }

  private static int insert(Db db, String name) {
    return db.write(
        handle -> handle.execute("insert into counter (name, next_value) values (?, 1)", name));
  }

  private static long count(Db db, String name) {
    return db.read(
        handle ->
            handle
                .createQuery("select count(*) from counter where name = :name")
                .bind("name", name)
                .mapTo(Long.class)
                .one());
  }

  @Test
  void write_afterTakeover_rejectedAndStoresNothing() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    try (Lease first = Lease.acquire(url, FIRST, SAME);
        Db db = open(first)) {
      first.onLost(lost::countDown);
      insert(db, "before");
      try (Lease second = takeOver();
          Db next = open(second)) {
        assertThatThrownBy(() -> insert(db, "after")).isInstanceOf(NotLeadingException.class);
        assertThat(lost.await(30, TimeUnit.SECONDS)).isTrue();
        insert(next, "next");
        assertThat(count(next, "before")).isEqualTo(1);
        assertThat(count(next, "after")).isZero();
      }
    }
  }

  @Test
  void takeOver_whileATransactionIsOpen_waitsForItOrEndsIt() throws Exception {
    CountDownLatch transactionStarted = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Lease first = Lease.acquire(url, FIRST, SAME);
        Db db = open(first)) {
      Future<Integer> paused =
          threads.submit(
              () ->
                  db.write(
                      handle -> {
                        transactionStarted.countDown();
                        await(taken);
                        return handle.execute(
                            "insert into counter (name, next_value) values ('paused', 1)");
                      }));
      transactionStarted.await();
      try (Lease second = takeOver();
          Db next = open(second)) {
        taken.countDown();
        assertThatThrownBy(paused::get).isNotNull();
        assertThat(count(next, "paused")).isZero();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void acquire_whileAnotherServerRenews_namesTheLeader() {
    try (Lease first = Lease.acquire(url, FIRST, SAME)) {
      assertThat(first.isHeld()).isTrue();
      assertThatThrownBy(() -> Lease.acquire(url, SECOND, SAME))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("first");
    }
  }

  @Test
  void acquire_afterTheHolderOfTheDirectoryWasKilled_doesNotWait() {
    Lease killed = Lease.acquire(url, FIRST, SAME);
    CountDownLatch lost = new CountDownLatch(1);
    killed.onLost(lost::countDown);
    try (Lease secondLease = Lease.acquire(url, FIRST, SAME)) {
      assertThat(secondLease.isHeld()).isTrue();
    } finally {
      killed.close();
    }
  }

  @Test
  void close_releasesTheLease() {
    Lease.acquire(url, FIRST, SAME).close();
    try (Lease second = Lease.acquire(url, SECOND, SAME)) {
      assertThat(second.isHeld()).isTrue();
      assertThat(Lease.read(url).holder()).isEqualTo("second");
    }
  }

  @Test
  void renew_expiredButNotTaken_keepsTheEpoch() throws Exception {
    try (Lease first = Lease.acquire(url, FIRST, SAME);
        Db db = open(first)) {
      expireLease();
      while (Lease.read(url).expired()) {
        Thread.onSpinWait();
      }
      assertThat(insert(db, "later")).isEqualTo(1);
    }
  }

  @Test
  void renew_racesWithTakeover_oneServerLeads() throws Exception {
    Lease.acquire(url, FIRST, SAME).close();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection connection = DriverManager.getConnection(url)) {
      long epoch = 1;
      for (int round = 0; round < 20; round++) {
        expireLease();
        long before = epoch;
        Future<Boolean> renewal =
            threads.submit(() -> LeaseTable.renew(connection, before, "first", Lease.LENGTH));
        Optional<Lease> second = Lease.acquireExpired(url, STANDBY, watch(), holder -> {});
        boolean renewed = renewal.get();
        assertThat(LeaseTable.renew(connection, before, "first", Lease.LENGTH))
            .as("whether the first server still leads")
            .isEqualTo(second.isEmpty());
        if (second.isPresent()) {
          second.get().close();
          epoch++;
        } else {
          assertThat(renewed).isTrue();
        }
      }
    }
  }

  @Test
  void restore_whileAServerLeads_rejectedWithItsName() {
    try (Lease first = Lease.acquire(url, FIRST, SAME)) {
      assertThat(first.isHeld()).isTrue();
      assertThatThrownBy(() -> RestoreLock.acquireExclusive(url))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("this database has a leader: first");
    }
    RestoreLock.acquireExclusive(url).close();
  }

  @Test
  void acquire_whileARestoreFillsTheDatabase_rejected() {
    Lease.acquire(url, FIRST, SAME).close();
    try (RestoreLock restore = RestoreLock.acquireExclusive(url)) {
      assertThat(restore).isNotNull();
      assertThatThrownBy(() -> Lease.acquire(url, FIRST, SAME))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("a restore into this database is in progress");
      assertThat(Lease.acquireExpired(url, STANDBY, watch(), holder -> {})).isEmpty();
      assertThatThrownBy(() -> RestoreLock.acquireExclusive(url))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("another restore");
    }
    try (Lease lease = Lease.acquireExpired(url, STANDBY, watch(), holder -> {}).orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void acquire_sessionOfAnEarlierServerWithoutLease_rejected() throws Exception {
    execute("drop table server_lease");
    execute("drop table deleted_user");
    execute("alter table users drop column last_sign_in");
    execute("alter table catalogue_image drop column description_code");
    execute(
        "delete from flyway_schema_history where cast(version as integer) >= "
            + LeaseTable.SCHEMA_VERSION);
    try (Connection earlier = DriverManager.getConnection(url)) {
      assertThatThrownBy(() -> Lease.acquire(url, FIRST, SAME))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("a server of an earlier release")
          .hasMessageContaining("application PostgreSQL JDBC Driver, address 127.0.0.1");
      assertThat(Schema.version(earlier)).isEqualTo(LeaseTable.SCHEMA_VERSION - 1);
    }
    String other = url + (url.contains("?") ? "&" : "?") + "ApplicationName=psql";
    try (Connection psql = DriverManager.getConnection(other);
        Lease lease = Lease.acquire(url, FIRST, SAME)) {
      assertThat(psql.isValid(5)).isTrue();
      assertThat(lease.isHeld()).isTrue();
    }
  }

  @Test
  void acquireExpired_otherDirectoryOrCopy_rejected() {
    Lease.acquire(url, FIRST, SAME).close();
    assertThatThrownBy(() -> Lease.acquireExpired(url, SECOND, watch(), holder -> {}))
        .isInstanceOf(AppException.class)
        .hasMessageContaining("another one or a copy");
    assertThatThrownBy(() -> Lease.requireSameDirectory(url, SECOND))
        .isInstanceOf(AppException.class);
    Lease.requireSameDirectory(url, STANDBY);
  }

  @Test
  void acquireExpired_otherInstallation_rejected() {
    Lease.acquire(url, FIRST, SAME).close();
    Lease.Claim other = new Lease.Claim("other", "another", "host 1:1", "boot");
    assertThatThrownBy(() -> Lease.acquireExpired(url, other, watch(), holder -> {}))
        .isInstanceOf(AppException.class);
  }

  @Test
  void requireSameDirectory_cloneOfTheHostWhileTheLeaderRuns_rejected() throws Exception {
    Lease.Claim clone = new Lease.Claim("clone", "installation", "host 1:1", "later boot");
    try (Lease first = Lease.acquire(url, FIRST, SAME)) {
      assertThat(first.isHeld()).isTrue();
      assertThatThrownBy(() -> Lease.requireSameDirectory(url, clone))
          .isInstanceOf(AppException.class);
      assertThatThrownBy(() -> Lease.acquire(url, clone, SAME))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("first");
    }
    // The same host after a reboot: the lease has expired.
    Lease.requireSameDirectory(url, clone);
  }

  @Test
  void acquireExpired_noRow_notAcquired() throws Exception {
    Lease.acquire(url, FIRST, SAME).close();
    execute("delete from server_lease");
    assertThat(Lease.acquireExpired(url, STANDBY, watch(), holder -> {})).isEmpty();
    assertThat(Lease.read(url).installation()).isEmpty();
    execute("drop table server_lease");
    assertThatThrownBy(() -> Lease.acquireExpired(url, STANDBY, watch(), holder -> {}))
        .isInstanceOf(Lease.UnreadableException.class);
  }

  @Test
  void acquireExpired_clockOfTheDatabaseWasSetBack_takesOverAnAbandonedLease() throws Exception {
    Lease.acquire(url, FIRST, SAME).close();
    execute("update server_lease set expires_at = 9000000000000");
    AtomicLong now = new AtomicLong();
    LeaseWatch watch = new LeaseWatch(now::get);
    assertThat(Lease.acquireExpired(url, STANDBY, watch, holder -> {})).isEmpty();
    now.addAndGet(Lease.LENGTH.multipliedBy(2).toNanos());
    try (Lease lease = Lease.acquireExpired(url, STANDBY, watch, holder -> {}).orElseThrow()) {
      assertThat(lease.isHeld()).isTrue();
      assertThat(lease.holderDescription()).startsWith("standby").contains("first");
    }
  }

  @Test
  void acquireExpired_renewedLease_isNeverAbandoned() throws Exception {
    Lease.acquire(url, FIRST, SAME).close();
    AtomicLong now = new AtomicLong();
    LeaseWatch watch = new LeaseWatch(now::get);
    for (int renewal = 0; renewal < 4; renewal++) {
      execute("update server_lease set expires_at = 900000000000" + renewal);
      assertThat(Lease.acquireExpired(url, STANDBY, watch, holder -> {})).isEmpty();
      now.addAndGet(Lease.LENGTH.toNanos());
    }
  }

  private void addUnfinishedAttempt() throws SQLException {
    execute(
        "set session_replication_role = replica;"
            + " insert into attempt (job_id, number, created) values ('job', 1, 1)");
  }

  @Test
  void acquire_attemptsOfAnotherDirectoryUnfinished_rejectedWithItsName() throws Exception {
    Lease.acquire(url, FIRST, SAME).close();
    addUnfinishedAttempt();
    for (Lease.Origin origin : List.of(SAME, EMPTY)) {
      assertThatThrownBy(() -> Lease.acquire(url, SECOND, origin))
          .isInstanceOf(AppException.class)
          .hasMessageContaining("first")
          .hasMessageContaining("--adopt-database");
    }
    Lease.acquire(url, FIRST, EMPTY).close();
    execute("update attempt set ended = 2");
    Lease.acquire(url, SECOND, EMPTY).close();
  }

  @Test
  void acquire_adopted_formerInstallationRejected() throws Exception {
    Lease.acquire(url, FIRST, SAME).close();
    addUnfinishedAttempt();
    Lease.Claim adopting = new Lease.Claim("second", "new", "host 1:2", "boot");
    Lease.acquire(url, adopting, new Lease.Origin(false, "installation")).close();
    assertThat(Lease.read(url).installation()).isEqualTo("new");
  }

  @Test
  void continues_directoryAfterAReboot() {
    Lease.Claim claim = new Lease.Claim("h", "id", "host 1:7", "boot2");
    for (String last : List.of("host 1:7 boot2", "container 1:7 boot2", "host 1:7 boot1")) {
      assertThat(claim.continues(last, false)).as(last).isTrue();
    }
    for (String last : List.of("host 2:7 boot1", "host 3:9 boot1", "container 2:7 boot1")) {
      assertThat(claim.continues(last, true)).as(last).isTrue();
      assertThat(claim.continues(last, false)).as(last).isFalse();
    }
    for (String last : List.of("host 1:9 boot2", "host 2:7 boot2", "other 1:9 boot1")) {
      assertThat(claim.continues(last, true)).as(last).isFalse();
    }
  }

  @Test
  void problem_databaseBecomesReadOnly() throws Exception {
    try (Lease lease = Lease.acquire(url, FIRST, SAME)) {
      assertThat(lease.problem()).isEmpty();
      String name = url.replaceAll(".*/([^?]*).*", "$1");
      execute("alter database " + name + " set default_transaction_read_only = on");
      execute(
          "select pg_terminate_backend(pid) from pg_stat_activity"
              + " where datname = current_database() and pid <> pg_backend_pid()");
      while (lease.problem().isEmpty()) {
        Thread.onSpinWait();
      }
      execute(
          "begin read write; alter database "
              + name
              + " set default_transaction_read_only = off; commit");
      while (lease.problem().isPresent()) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void takeOver_whileASessionReadsTheTable_doesNotEndIt() throws Exception {
    try (Lease first = Lease.acquire(url, FIRST, SAME);
        Connection reader = DriverManager.getConnection(url);
        Connection writer = DriverManager.getConnection(url);
        Statement reading = reader.createStatement();
        Statement writing = writer.createStatement()) {
      assertThat(first.isHeld()).isTrue();
      reader.setAutoCommit(false);
      reading.execute("select * from server_lease");
      writer.setAutoCommit(false);
      writing.execute("lock table server_lease in row share mode");
      try (Lease second = takeOver()) {
        assertThat(second.isHeld()).isTrue();
        reading.execute("select 1");
        assertThatThrownBy(() -> writing.execute("select 1")).isInstanceOf(SQLException.class);
      }
    }
  }
}
