package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exclusive right of one server to write to a PostgreSQL database. It lasts {@link #LENGTH} by
 * the clock of the database and is renewed in the background. A server that acquires the lease
 * increments the epoch, and each of its write transactions checks that the epoch is unchanged.
 *
 * <p>A server that could not renew the lease in time rejects writes until it has renewed the lease.
 * This succeeds unless another server has acquired the lease in the meantime, which changes the
 * epoch. Therefore an outage of PostgreSQL does not end the only server. Thread-safe.
 */
public final class Lease implements WriteFence, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Lease.class);

  /** Duration of a lease without renewal. */
  public static final Duration LENGTH = Duration.ofSeconds(10);

  private static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(3);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /** SQL state of a write in a read-only transaction, also on a replica. */
  private static final String READ_ONLY_STATE = "25006";

  private static final String ENTER_SQL =
      "lock table server_lease in row share mode;"
          + " select epoch, txid_current() from server_lease where id = 1";

  /**
   * Identity of a server that requests the lease.
   *
   * @param holder readable description of process, host and data directory
   * @param installation the ID that the data directory and the database share
   * @param directory host and data directory, separated by a space; a copy of the directory on the
   *     same host has another value
   * @param boot identifies the running kernel
   */
  public record Claim(String holder, String installation, String directory, String boot) {
    /** Value of the column {@code directory}. */
    String directoryValue() {
      return directory + " " + boot;
    }

    /**
     * Returns whether the row names this data directory on the running kernel. The host name is not
     * compared, because two containers on one kernel may have different host names.
     */
    private boolean isThisDirectory(LeaseTable.Row row) {
      String ownValue = directoryValue();
      return row.directory().endsWith(ownValue.substring(ownValue.indexOf(' ')));
    }

    /**
     * Returns whether the holder of the row uses or used the same data directory. If the lease has
     * expired, equal hosts and directories are sufficient, because {@code boot} differs after a
     * reboot.
     */
    private boolean isSameDirectory(LeaseTable.Row row) {
      return isThisDirectory(row)
          || (row.isExpired() && row.directory().startsWith(directory + " "));
    }

    /**
     * Returns whether the tasks of the last leader run in this data directory, or have ended
     * because its host was rebooted. The values are compared in parts because device numbers may
     * change at a reboot, and host names of containers at any start.
     *
     * @param lastDirectory value of the column {@code directory}: host, directory and boot
     * @param known whether this directory already had the ID of the database
     */
    boolean continues(String lastDirectory, boolean known) {
      String ownValue = directoryValue();
      if (lastDirectory.endsWith(ownValue.substring(ownValue.indexOf(' ')))
          || lastDirectory.startsWith(directory + " ")) {
        return true;
      }
      String inode = directory.substring(directory.lastIndexOf(':') + 1);
      return known
          && (continuesAfterReboot(lastDirectory)
              || (hasRebooted(lastDirectory) && lastDirectory.contains(":" + inode + " ")));
    }

    private boolean hasRebooted(String lastDirectory) {
      return !lastDirectory.endsWith(" " + boot);
    }

    /**
     * Returns whether the last leader ran on this host before the last reboot, which ended all
     * tasks. The inode number alone is not compared, because it may be equal on another host.
     */
    boolean continuesAfterReboot(String lastDirectory) {
      String host = directory.substring(0, directory.indexOf(' ') + 1);
      return hasRebooted(lastDirectory) && lastDirectory.startsWith(host);
    }

    /** Like {@link #continues(String, boolean)}, for the last leader of a database. */
    public boolean continues(LeaseInfo leaseInfo, boolean known) {
      return continues(leaseInfo.directory(), known);
    }

    /**
     * Returns a claim whose description also names the previous holder, which may still be running
     * until this server is ready.
     */
    private Claim replacing(String formerHolder) {
      String shortenedHolder = formerHolder.substring(0, Math.min(formerHolder.length(), 500));
      return new Claim(
          holder + ", which replaces " + shortenedHolder, installation, directory, boot);
    }
  }

  /**
   * Relation of a data directory to the database before the server of this directory requests the
   * lease.
   *
   * @param hasDatabaseId whether the directory already had the ID of the database
   * @param replacedId the ID of the database that the ID of the claim replaces; empty if the
   *     database keeps its ID
   */
  public record Origin(boolean hasDatabaseId, String replacedId) {
    static final Origin SAME = new Origin(true, "");
  }

  /**
   * Thrown if the lease cannot be read because the database does not respond or currently has no
   * tables.
   */
  public static final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private UnreadableException(Throwable cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * State of the lease as seen by a server that does not hold it.
   *
   * @param hasTables whether the database has tables of this program
   * @param installation the ID that the data directory and the database share; empty if no server
   *     has led yet
   * @param directory host, data directory and boot of the last leader
   */
  public record LeaseInfo(
      boolean hasTables, String holder, String installation, String directory, boolean expired) {
    private static LeaseInfo of(LeaseTable.Row row) {
      return new LeaseInfo(
          true, row.holder(), row.installation(), row.directory(), row.isExpired());
    }
  }

  private final DataSource source;
  private final long epoch;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private volatile String holder;
  private volatile long deadline;
  private volatile boolean lost;
  private volatile boolean readOnly;
  private Runnable onLost = () -> {};
  private Connection connection;

  private Lease(DataSource source, Claim claim, long epoch, long deadline) {
    this.source = source;
    this.holder = claim.holder();
    this.epoch = epoch;
    this.deadline = deadline;
    this.thread = Thread.ofPlatform().name("lease").daemon().unstarted(this::renewLoop);
  }

  /**
   * Reads the lease of a database. The database may be empty, or its tables too old to have a
   * lease.
   */
  public static LeaseInfo read(String url) {
    PostgresConnections connections = new PostgresConnections(url);
    StartFailure.connect(connections, url);
    try (Connection connection = connections.withShortTimeouts().getConnection()) {
      int version = Schema.version(connection);
      LeaseInfo noLease = new LeaseInfo(version > 0, "", "", "", true);
      return version < LeaseTable.SCHEMA_VERSION
          ? noLease
          : LeaseTable.find(connection).map(LeaseInfo::of).orElse(noLease);
    } catch (SQLException e) {
      throw StartFailure.postgres(url, e);
    } catch (IllegalStateException e) {
      throw StartFailure.postgres(url, e);
    }
  }

  /**
   * Rejects a standby server whose data directory is not the one of the leader.
   *
   * @throws AppException if the leader uses another directory, or this directory is a copy
   */
  public static void requireSameDirectory(String url, Claim claim) {
    try (Connection connection = new PostgresConnections(url).withShortTimeouts().getConnection()) {
      Optional<LeaseTable.Row> row = LeaseTable.find(connection);
      if (row.isPresent()) {
        requireSameDirectory(row.get(), claim);
      }
    } catch (SQLException e) {
      throw StartFailure.postgres(url, e);
    }
  }

  private static void requireSameDirectory(LeaseTable.Row row, Claim claim) {
    if (!row.installation().equals(claim.installation()) || !claim.isSameDirectory(row)) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("config.standby-directory", "holder", row.holder()));
    }
  }

  /**
   * Acquires the lease for a server that holds the lock of its data directory. If another server
   * holds the lease, waits until that server renews the lease or the lease expires.
   *
   * @throws AppException if another server has renewed the lease, if tasks may still run in the
   *     data directory of the last leader, if a restore is filling the database, or if a server of
   *     a release without a lease uses the database
   */
  public static Lease acquire(String url, Claim claim, Origin origin) {
    PostgresConnections connections = new PostgresConnections(url);
    StartFailure.connect(connections, url);
    try (Connection connection = connections.withShortTimeouts().getConnection();
        var _ = RestoreLock.acquireShared(connection)) {
      int version = Schema.version(connection);
      if (version < LeaseTable.SCHEMA_VERSION) {
        if (version > 0) {
          PreviousReleaseCheck.requireNone(connection);
        }
        StartFailure.update(connections, url);
      }
      LeaseWatch watch = new LeaseWatch(System::nanoTime);
      long firstExpiry = -1;
      while (true) {
        Optional<LeaseTable.Row> row = LeaseTable.find(connection);
        boolean holderEnded =
            row.filter(it -> claim.isThisDirectory(it) || watch.isAbandoned(it)).isPresent();
        if (row.isEmpty() || holderEnded || row.get().isExpired()) {
          Optional<Lease> acquired =
              tryAcquire(connections.withShortTimeouts(), claim, origin, row, holderEnded);
          if (acquired.isPresent()) {
            return acquired.get();
          }
        } else if (firstExpiry >= 0 && row.get().expiresAt() != firstExpiry) {
          throw new AppException(
              ErrorCode.CONFLICT,
              Message.of("config.other-server-leads", "holder", row.get().holder()));
        } else if (firstExpiry < 0) {
          LOG.info("waiting until the lease of {} is renewed or expires", row.get().holder());
          firstExpiry = row.get().expiresAt();
        }
        Thread.sleep(POLL_INTERVAL);
      }
    } catch (SQLException e) {
      throw StartFailure.postgres(url, e);
    } catch (IllegalStateException e) {
      throw StartFailure.postgres(url, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Acquires the lease if it has expired, for a server that does not hold the lock yet. Never
   * creates the row, because a restore may be filling the database.
   *
   * @param watch must be the same in every call of one waiting server
   * @param leader receives the current leader if the lease has not expired
   * @throws AppException if the previous leader has another data directory
   * @throws UnreadableException if the lease cannot be read now
   */
  public static Optional<Lease> acquireExpired(
      String url, Claim claim, LeaseWatch watch, Consumer<String> leader) {
    DataSource source = new PostgresConnections(url).withShortTimeouts();
    try (Connection connection = source.getConnection()) {
      Optional<LeaseTable.Row> row = LeaseTable.find(connection);
      if (row.isEmpty()) {
        return Optional.empty();
      }
      requireSameDirectory(row.get(), claim);
      boolean holderEnded = watch.isAbandoned(row.get());
      if (!holderEnded && !row.get().isExpired()) {
        leader.accept(row.get().holder());
        return Optional.empty();
      }
      return tryAcquire(source, claim.replacing(row.get().holder()), Origin.SAME, row, holderEnded);
    } catch (SQLException e) {
      throw new UnreadableException(StartFailure.postgres(url, e));
    }
  }

  private static Optional<Lease> tryAcquire(
      DataSource source,
      Claim claim,
      Origin origin,
      Optional<LeaseTable.Row> knownRow,
      boolean holderHasEnded)
      throws SQLException {
    // The clock is read before the request, so that the local deadline is earlier than the deadline
    // in the database.
    long requestNanos = System.nanoTime();
    try (Connection connection = source.getConnection()) {
      Optional<Lease> lease =
          LeaseTable.tryAcquire(connection, claim, origin, holderHasEnded, knownRow, LENGTH)
              .map(epoch -> new Lease(source, claim, epoch, requestNanos + LENGTH.toNanos()));
      lease.ifPresent(acquired -> acquired.thread.start());
      return lease;
    }
  }

  /**
   * Sets an action that is called once, on any thread, if another server has acquired the lease.
   */
  public void onLost(Runnable action) {
    synchronized (this) {
      if (!lost) {
        onLost = action;
        return;
      }
    }
    action.run();
  }

  /**
   * Returns the description of the holder that is stored in the table. It names this server and,
   * until this server is ready, also the previous holder.
   */
  public String holderDescription() {
    return holder;
  }

  /** Sets the description of this server that is shown to other servers. */
  public void describe(String text) {
    holder = text;
  }

  /** Returns whether this server may write now, according to its own clock. */
  public boolean isHeld() {
    return !lost && System.nanoTime() - deadline < 0;
  }

  /** Returns why this server cannot write now, as far as the last renewal shows. */
  public Optional<String> problem() {
    if (!isHeld()) {
      return Optional.of(notHeld());
    }
    return readOnly ? Optional.of("the database is read-only") : Optional.empty();
  }

  private String notHeld() {
    return lost ? "another server leads" : "the lease has expired and has not been renewed";
  }

  @Override
  public long enter(Handle handle) {
    if (!isHeld()) {
      throw new NotLeadingException(notHeld());
    }
    long[] epochAndTransaction = WriteFence.query(handle, ENTER_SQL);
    if (epochAndTransaction[0] != epoch) {
      handleLoss();
      throw new NotLeadingException("another server leads");
    }
    return epochAndTransaction[1];
  }

  private void handleLoss() {
    Runnable action;
    synchronized (this) {
      if (lost) {
        return;
      }
      lost = true;
      action = onLost;
    }
    LOG.error("another server has taken over the database; this server stops writing");
    action.run();
  }

  private void renewLoop() {
    try {
      Duration pause = RENEWAL_INTERVAL;
      while (!closed.await(pause.toMillis(), TimeUnit.MILLISECONDS) && !lost) {
        pause = renew() ? RENEWAL_INTERVAL : RETRY_INTERVAL;
      }
    } catch (InterruptedException e) {
      LOG.debug("stopped renewing the lease");
    }
  }

  /** Renews the lease; returns false if the database failed and the renewal must be retried. */
  private boolean renew() {
    long requestNanos = System.nanoTime();
    try {
      if (connection == null) {
        connection = source.getConnection();
      }
      if (LeaseTable.renew(connection, epoch, holder, LENGTH)) {
        deadline = requestNanos + LENGTH.toNanos();
        readOnly = false;
      } else {
        handleLoss();
      }
      return true;
    } catch (SQLException e) {
      LOG.warn("failed to renew the lease: {}", e.getMessage());
      readOnly = READ_ONLY_STATE.equals(e.getSQLState());
      disconnect();
      return false;
    }
  }

  private void disconnect() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      LOG.debug("failed to close the connection of the lease", e);
    }
    connection = null;
  }

  /** Releases the lease. Must be called after the last write. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    disconnect();
    if (!lost) {
      try (Connection finalConnection = source.getConnection()) {
        LeaseTable.release(finalConnection, epoch);
      } catch (SQLException e) {
        LOG.warn("failed to release the lease: {}", e.getMessage());
      }
    }
  }
}
