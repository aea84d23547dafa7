package dev.trainyard.server.db;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Records in an SQLite database which data directory used it last, in the row that is the lease on
 * PostgreSQL. A file outside the data directory can be used with another directory, in which the
 * tasks of the last one cannot be adopted; they would run a second time. A file in its data
 * directory is moved and copied together with it, so it is not checked.
 */
public final class SqliteOwner {
  private SqliteOwner() {}

  private record Last(String holder, String directory) {}

  /**
   * Rejects a data directory if tasks may still run in the one that used the database last;
   * otherwise records this one. The caller holds the lock of the file.
   *
   * @param outside whether the file is outside the data directory
   * @param adopt whether the administrator has confirmed that the last directory is lost
   * @throws AppException if tasks may still run in another data directory
   */
  public static void claim(Db db, Lease.Claim claim, boolean outside, boolean adopt) {
    db.write(
        handle -> {
          Optional<Last> last =
              handle
                  .createQuery("select holder, directory from server_lease where id = 1")
                  .map((rows, _) -> new Last(rows.getString(1), rows.getString(2)))
                  .findOne();
          if (outside && !adopt) {
            last.ifPresent(known -> requireNoTasksElsewhere(handle, claim, known));
          }
          return handle
              .createUpdate(
                  """
                  insert into server_lease (id, holder, installation, directory, epoch, expires_at) \
                  values (1, :holder, '', :directory, 0, 0) \
                  on conflict (id) do update set holder = :holder, directory = :directory\
                  """)
              .bind("holder", claim.holder())
              .bind("directory", claim.place())
              .execute();
        });
  }

  private static void requireNoTasksElsewhere(Handle handle, Lease.Claim claim, Last last) {
    // An SQLite file has no ID that a directory could know. After a reboot no task is running.
    if (claim.continues(last.directory(), true)) {
      return;
    }
    long unfinished =
        handle
            .createQuery("select count(*) from attempt where ended is null")
            .mapTo(Long.class)
            .one();
    if (unfinished > 0) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("config.other-directory", "holder", last.holder()).with("count", unfinished));
    }
  }
}
