package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import org.jdbi.v3.core.Handle;

/**
 * Determines which users are administrators: users with the administrator flag, and members of a
 * group of administrators.
 */
public final class AdministratorStore {
  /**
   * SQL expression for the table alias u of users: 1 if the user is an administrator, otherwise 0.
   */
  public static final String IS_ADMIN =
      "case when u.admin = 1 or exists (select 1 from group_member m"
          + " join team_group g on g.name = m.group_name"
          + " where m.user_id = u.id and g.admin = 1) then 1 else 0 end";

  private AdministratorStore() {}

  /** Returns whether there is at least one administrator who is not disabled. */
  static boolean exist(Handle handle) {
    return handle
        .createQuery(
            "select 1 from users u where u.disabled = 0 and (" + IS_ADMIN + ") = 1 limit 1")
        .mapTo(Integer.class)
        .findFirst()
        .isPresent();
  }

  /**
   * Throws if the changes of this transaction to a group leave no administrator who is not
   * disabled.
   */
  static void requireAdministrator(Handle handle, String group) {
    if (!exist(handle)) {
      throw new AppException(
          ErrorCode.CONFLICT, Message.of("error.last-admin-group", "group", group));
    }
  }
}
