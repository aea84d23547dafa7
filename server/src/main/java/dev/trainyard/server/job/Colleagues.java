package dev.trainyard.server.job;

import org.jdbi.v3.core.Handle;

/**
 * Whose jobs somebody may look at without owning them: those of everybody who is in a group with
 * them that shares its members' jobs. The tables are those of the package of teams, which builds
 * upon this one and so can't be asked.
 */
final class Colleagues {
  /** Ids of all who share their jobs with the user {@code :me}. */
  static final String IDS =
      "select other.user_id from group_member mine"
          + " join team_group shared on shared.name = mine.group_name and shared.shares_jobs = 1"
          + " join group_member other on other.group_name = shared.name"
          + " where mine.user_id = :me";

  private Colleagues() {}

  static boolean share(Handle handle, String userId, String ownerId) {
    return handle
        .createQuery(IDS + " and other.user_id = :owner limit 1")
        .bind("me", userId)
        .bind("owner", ownerId)
        .mapTo(String.class)
        .findFirst()
        .isPresent();
  }
}
