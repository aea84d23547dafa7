package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Records in an SQLite database which data directory used it last, in the table that contains the
 * lease on PostgreSQL. A database file outside of the data directory can be opened by a server with
 * another data directory. Such a server cannot adopt the tasks in the previous data directory, so
 * these tasks would run a second time. A database file in the data directory is moved and copied
 * together with the directory, so it is not checked.
 */
public final class SqliteOwner {
  private SqliteOwner() {}

  private record LastOwner(String holder, String directory) {}

  /**
   * Rejects a data directory if tasks may still run in the data directory that used the database
   * last; otherwise records the given directory. The caller holds the lock of the file.
   *
   * @param outside whether the file is outside the data directory
   * @param adopt whether the administrator has confirmed that the last directory is lost
   * @throws AppException if tasks may still run in another data directory
   */
  public static void claim(Db db, Lease.Claim claim, boolean outside, boolean adopt) {
    db.write(
        handle -> {
          Optional<LastOwner> lastOwner =
              handle
                  .createQuery("select holder, directory from server_lease where id = 1")
                  .map((rows, _) -> new LastOwner(rows.getString(1), rows.getString(2)))
                  .findOne();
          if (outside && !adopt) {
            lastOwner.ifPresent(owner -> requireNoTasksElsewhere(handle, claim, owner));
          }
          return handle
              .createUpdate(
                  """
                  insert into server_lease (id, holder, installation, directory, epoch, expires_at) \
                  values (1, :holder, '', :directory, 0, 0) \
                  on conflict (id) do update set holder = :holder, directory = :directory\
                  """)
              .bind("holder", claim.holder())
              .bind("directory", claim.directoryValue())
              .execute();
        });
  }

  private static void requireNoTasksElsewhere(
      Handle handle, Lease.Claim claim, LastOwner lastOwner) {
    // An SQLite file has no ID, so only the host shows whether a reboot has ended all tasks.
    if (claim.continues(lastOwner.directory(), false)
        || claim.continuesAfterReboot(lastOwner.directory())) {
      return;
    }
    long unfinishedAttempts =
        handle
            .createQuery("select count(*) from attempt where ended is null")
            .mapTo(Long.class)
            .one();
    if (unfinishedAttempts > 0) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("config.other-directory", "holder", lastOwner.holder())
              .with("count", unfinishedAttempts));
    }
  }
}
