package dev.trainyard.server.user;

import dev.trainyard.model.Message;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Finds sign-ups that are pending or rejected. */
public interface PendingSignUps {
  PendingSignUps NONE = (handle, nameKey) -> Optional.empty();

  /**
   * A pending or rejected sign-up.
   *
   * @param message message for a caller who knows the password
   */
  record PendingUser(String passwordHash, Message message) {}

  Optional<PendingUser> find(Handle handle, String nameKey);
}
