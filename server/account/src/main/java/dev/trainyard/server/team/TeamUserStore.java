package dev.trainyard.server.team;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** SQL statements for {@link TeamUser}. */
final class TeamUserStore {
  private TeamUserStore() {}

  static Optional<TeamUser> find(Handle handle, String name) {
    return handle
        .createQuery("select id, name from users where name_key = :key")
        .bind("key", TeamNameRules.key(name))
        .map((rows, _) -> new TeamUser(rows.getString("id"), rows.getString("name")))
        .findOne();
  }

  static TeamUser load(Handle handle, String name) {
    return find(handle, name)
        .orElseThrow(
            () -> new AppException(ErrorCode.NOT_FOUND, Message.of("error.no-user", "user", name)));
  }
}
