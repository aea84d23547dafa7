package dev.trainyard.server.user;

import dev.trainyard.model.Message;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Finds sign-ups that are not approved: pending and rejected ones. */
public interface PendingSignUps {
  PendingSignUps NONE = (handle, nameKey) -> Optional.empty();

  /**
   * A pending or rejected sign-up.
   *
   * @param message response to a sign-in with the correct password
   */
  record PendingUser(String passwordHash, Message message) {}

  Optional<PendingUser> find(Handle handle, String nameKey);
}
