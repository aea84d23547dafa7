package dev.trainyard.server.job;

import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * Finds the owners whose jobs are shared with a user: the members of the user's groups that have
 * job sharing enabled. Queries the tables of the team package directly, because the query is part
 * of the statements that list jobs.
 */
final class SharedJobOwnerStore {
  private static final String SHARING_USERS =
      "select other.user_id from group_member mine"
          + " join team_group shared on shared.name = mine.group_name and shared.shares_jobs = 1"
          + " join group_member other on other.group_name = shared.name"
          + " where mine.user_id = :me";

  /** IDs of the user {@code :me} and of all users whose jobs are shared with this user. */
  static final String VISIBLE_OWNER_IDS = "select :me as user_id union " + SHARING_USERS;

  private SharedJobOwnerStore() {}

  /**
   * Returns at most {@code limit} IDs: the user's own ID, and the IDs of users who share their jobs
   * with this user.
   */
  static List<String> of(Handle handle, String userId, int limit) {
    return handle
        .createQuery(VISIBLE_OWNER_IDS + " limit :most")
        .bind("me", userId)
        .bind("most", limit)
        .mapTo(String.class)
        .list();
  }

  static boolean areShared(Handle handle, String userId, String ownerId) {
    return handle
        .createQuery(SHARING_USERS + " and other.user_id = :owner limit 1")
        .bind("me", userId)
        .bind("owner", ownerId)
        .mapTo(String.class)
        .findFirst()
        .isPresent();
  }
}
