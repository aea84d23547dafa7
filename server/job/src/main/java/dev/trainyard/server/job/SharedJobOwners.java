package dev.trainyard.server.job;

import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Whose jobs somebody may look at without owning them: those of everybody who is in a group with
 * them that shares its members' jobs. The tables are those of the package of teams, which builds
 * upon this one and so can't be asked.
 */
final class SharedJobOwners {
  private static final String OTHERS =
      "select other.user_id from group_member mine"
          + " join team_group shared on shared.name = mine.group_name and shared.shares_jobs = 1"
          + " join group_member other on other.group_name = shared.name"
          + " where mine.user_id = :me";

  /** Ids of the user {@code :me} and of all who share their jobs with that user. */
  static final String IDS = "select :me as user_id union " + OTHERS;

  private SharedJobOwners() {}

  /** The user's own id and those of colleagues, at most so many. */
  static List<String> of(Handle handle, String userId, int most) {
    return handle
        .createQuery(IDS + " limit :most")
        .bind("me", userId)
        .bind("most", most)
        .mapTo(String.class)
        .list();
  }

  static boolean share(Handle handle, String userId, String ownerId) {
    return handle
        .createQuery(OTHERS + " and other.user_id = :owner limit 1")
        .bind("me", userId)
        .bind("owner", ownerId)
        .mapTo(String.class)
        .findFirst()
        .isPresent();
  }
}
