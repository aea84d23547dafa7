package dev.trainyard.server;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.config.DataDirectory;
import dev.trainyard.server.config.ForeignDirectoryCheck;
import dev.trainyard.server.config.Installation;
import dev.trainyard.server.config.ServerLock;
import dev.trainyard.server.config.Settings;
import dev.trainyard.server.db.Databases;
import dev.trainyard.server.db.Db;
import dev.trainyard.server.db.Lease;
import dev.trainyard.server.db.LeaseWatch;
import dev.trainyard.server.db.SqliteOwner;
import dev.trainyard.server.http.WebConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ensures that this process is the only server of its installation. The lock of the data directory
 * protects the tasks and files on this host. The lock of the SQLite file or, with PostgreSQL, the
 * lease in the database protects the database against a second server with another data directory.
 */
final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

  /** Time within which a process that lost the lease must release the lock before it is killed. */
  private static final Duration LOCK_GRACE = Duration.ofSeconds(4);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final Duration STANDBY_POLL_INTERVAL = Duration.ofMillis(500);

  /** Exit code of a server that has lost its lease to another server (EX_TEMPFAIL). */
  private static final int REPLACED_EXIT_CODE = 75;

  private final DataDirectory directory;
  private final ServerLock lock;
  private final Optional<ServerLock> databaseLock;
  private final Optional<Lease> lease;
  private final String holder;

  private Leadership(
      DataDirectory directory,
      ServerLock lock,
      Optional<ServerLock> databaseLock,
      Optional<Lease> lease,
      String holder) {
    this.directory = directory;
    this.lock = lock;
    this.databaseLock = databaseLock;
    this.lease = lease;
    this.holder = holder;
  }

  /**
   * Acquires the lock and the lease; a server on standby waits for them.
   *
   * @param onLocked called after the lock of the data directory was acquired and before the
   *     database is changed
   * @throws AppException if another server is the leader and this server is not on standby
   */
  static Leadership acquire(
      Settings settings,
      DataDirectory directory,
      WebConfig web,
      InstantSource clock,
      Runnable onLocked) {
    String url = settings.value(Settings.DB);
    Installation installation = new Installation(directory);
    if (settings.value(Settings.STANDBY)) {
      return standby(url, installation, directory, web, clock, onLocked);
    }
    ForeignDirectoryCheck.require(directory, settings);
    ServerLock lock = ServerLock.acquire(directory);
    try {
      if (!Databases.isPostgres(url)) {
        return withSqlite(url, directory, lock, onLocked);
      }
      onLocked.run();
      Lease.LeaseInfo leaseInfo = Lease.read(url);
      if (!leaseInfo.hasTables()) {
        directory.requireUnused();
      }
      boolean installationKnown = installation.hasId();
      Lease.Claim claim = createClaim(installation, installation.choose(leaseInfo.installation()));
      Lease.Origin origin = new Lease.Origin(installationKnown, "");
      if (settings.value(Settings.ADOPT_DATABASE)
          && !leaseInfo.installation().isEmpty()
          && !claim.continues(leaseInfo, installationKnown)) {
        LOG.warn(
            "this data directory adopts the database; the last leader was {}", leaseInfo.holder());
        installation.deleteId();
        claim = createClaim(installation, UUID.randomUUID().toString());
        origin = new Lease.Origin(false, leaseInfo.installation());
      }
      Lease lease = Lease.acquire(url, claim, origin);
      try {
        installation.store(claim.installation());
      } catch (RuntimeException | Error e) {
        lease.close();
        throw e;
      }
      endWhenLost(lease);
      return new Leadership(directory, lock, Optional.empty(), Optional.of(lease), claim.holder());
    } catch (RuntimeException | Error e) {
      lock.close();
      throw e;
    }
  }

  private static Leadership withSqlite(
      String url, DataDirectory directory, ServerLock lock, Runnable onLocked) {
    Optional<ServerLock> fileLock =
        Databases.realFile(url, directory.path()).map(ServerLock::lockDatabase);
    try {
      fileLock.ifPresent(held -> held.announce(directory, ""));
      onLocked.run();
      if (Databases.isMissing(url, directory.path())) {
        directory.requireUnused(Databases.fileNames(url, directory.path()));
      }
      return new Leadership(directory, lock, fileLock, Optional.empty(), "");
    } catch (RuntimeException | Error e) {
      fileLock.ifPresent(ServerLock::close);
      throw e;
    }
  }

  /**
   * Records the data directory in an SQLite database; does nothing with PostgreSQL. Must be called
   * after the tables were created.
   *
   * @throws AppException if tasks of the data directory that last used this database may still be
   *     running
   */
  void claim(Db db, Settings settings) {
    String url = settings.value(Settings.DB);
    if (!Databases.isPostgres(url)) {
      boolean outsideDataDirectory =
          Databases.realFile(url, directory.path())
              .filter(file -> !file.startsWith(directory.path()))
              .isPresent();
      SqliteOwner.claim(
          db,
          createClaim(new Installation(directory), ""),
          outsideDataDirectory,
          settings.value(Settings.ADOPT_DATABASE));
    }
  }

  private static Lease.Claim createClaim(Installation installation, String id) {
    return new Lease.Claim(
        installation.holder(), id, installation.location(), installation.bootId());
  }

  private static Leadership standby(
      String url,
      Installation installation,
      DataDirectory directory,
      WebConfig web,
      InstantSource clock,
      Runnable onLocked) {
    if (!Databases.isPostgres(url)) {
      throw conflict(Message.of("config.standby-no-postgres"));
    }
    Lease.LeaseInfo leaseInfo = Lease.read(url);
    if (leaseInfo.installation().isEmpty()) {
      throw conflict(Message.of("config.standby-no-leader"));
    }
    installation.require(leaseInfo.installation());
    Lease.Claim claim = createClaim(installation, leaseInfo.installation());
    Lease.requireSameDirectory(url, claim);
    Lease lease;
    ServerLock lock;
    try (StandbyServer server = StandbyServer.listen(web, leaseInfo.holder(), clock)) {
      LOG.info("on standby at {}; the leader is {}", server.url(), leaseInfo.holder());
      lease = awaitLease(url, claim, server);
      endWhenLost(lease);
      LOG.info("this server is the leader now; waiting for the lock of the data directory");
      lock = awaitLockOrClose(lease, directory);
    }
    try {
      onLocked.run();
      return new Leadership(directory, lock, Optional.empty(), Optional.of(lease), claim.holder());
    } catch (RuntimeException | Error e) {
      lease.close();
      lock.close();
      throw e;
    }
  }

  private static ServerLock awaitLockOrClose(Lease lease, DataDirectory directory) {
    try {
      return awaitLock(directory, lease.holderDescription());
    } catch (RuntimeException | Error e) {
      lease.close();
      throw e;
    }
  }

  private static Lease awaitLease(String url, Lease.Claim claim, StandbyServer server) {
    LeaseWatch watch = new LeaseWatch(System::nanoTime);
    String failure = "";
    while (true) {
      try {
        Optional<Lease> lease = Lease.acquireExpired(url, claim, watch, server::setLeader);
        if (lease.isPresent()) {
          return lease.get();
        }
        if (!failure.isEmpty()) {
          LOG.info("the lease can be read again");
          failure = "";
        }
      } catch (Lease.UnreadableException e) {
        // Continue to wait during an outage of the database, because the leader waits until the
        // outage ends, too.
        if (!failure.equals(e.getMessage())) {
          failure = String.valueOf(e.getMessage());
          LOG.warn("failed to read the lease: {}", failure);
        }
      }
      pause(STANDBY_POLL_INTERVAL);
    }
  }

  /**
   * Waits for the lock of the data directory. The previous holder of the lease exits when it
   * notices that it has lost the lease. If that process does not exit in time, for example because
   * it is suspended, this method kills it, because it must not affect tasks that this server has
   * adopted. Any other process that holds the lock, such as a restore, is not killed.
   *
   * @param replaced previous holder of the lease
   */
  private static ServerLock awaitLock(DataDirectory directory, String replaced) {
    long deadlineNanos = System.nanoTime() + LOCK_GRACE.toNanos();
    while (true) {
      try {
        return ServerLock.acquire(directory);
      } catch (AppException e) {
        if (System.nanoTime() - deadlineNanos > 0) {
          Optional<ProcessHandle> process =
              ServerLock.holder(directory)
                  .filter(it -> Installation.describesProcess(replaced, it));
          LOG.warn(
              "{}; {}",
              e.getMessage(),
              process.isPresent()
                  ? "that process has lost the lease and is killed"
                  : "waiting until that process releases the lock");
          process.ifPresent(ProcessHandle::destroyForcibly);
          deadlineNanos = System.nanoTime() + LOCK_GRACE.toNanos();
        }
      }
      pause(POLL_INTERVAL);
    }
  }

  /**
   * Makes this process exit without any cleanup if it loses the lease, because the files then
   * belong to the next server.
   */
  private static void endWhenLost(Lease lease) {
    lease.onLost(() -> Runtime.getRuntime().halt(REPLACED_EXIT_CODE));
  }

  private static void pause(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Optional<Lease> lease() {
    return lease;
  }

  /** Publishes the URL of this server to other servers. */
  void announce(String url) {
    lock.announce(url);
    databaseLock.ifPresent(held -> held.announce(directory, url));
    lease.ifPresent(held -> held.describe(holder + ", " + url));
  }

  @Override
  public void close() {
    lease.ifPresent(Lease::close);
    databaseLock.ifPresent(ServerLock::close);
    lock.close();
  }

  private static AppException conflict(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }
}
