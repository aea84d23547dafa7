package dev.trainyard.server.team;

import dev.trainyard.scheduler.RevokedAccess;
import java.util.HashSet;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * Reads which owners of unfinished jobs have lost the access that these jobs need. Without this
 * check, a job that waits, is paused or is retried would keep the revoked access forever.
 */
final class RevokedAccessStore {
  private static final String IS_GRANTED =
      "exists (select 1 from group_member m join group_grant g on g.group_name = m.group_name"
          + " where m.user_id = j.user_id and g.kind = :kind and g.name = j.virtual_cluster)";
  private static final String OF_UNFINISHED =
      " from job j join users u on u.id = j.user_id where j.state in (<states>) and ";

  private RevokedAccessStore() {}

  static RevokedAccess read(Handle handle) {
    Set<String> users =
        new HashSet<>(
            handle
                .createQuery("select distinct u.name" + OF_UNFINISHED + "u.disabled = 1")
                .bindList("states", LimitStore.UNFINISHED)
                .mapTo(String.class)
                .list());
    Set<RevokedAccess.UserInCluster> usersInClusters =
        new HashSet<>(
            handle
                .createQuery(
                    "select distinct u.name, j.virtual_cluster"
                        + OF_UNFINISHED
                        + "("
                        + AdministratorStore.IS_ADMIN
                        + ") = 0 and not "
                        + IS_GRANTED)
                .bindList("states", LimitStore.UNFINISHED)
                .bind("kind", GroupStore.VIRTUAL_CLUSTER)
                .map(
                    (rows, _) ->
                        new RevokedAccess.UserInCluster(rows.getString(1), rows.getString(2)))
                .list());
    return new RevokedAccess(users, usersInClusters);
  }
}
