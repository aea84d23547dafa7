package dev.trainyard.server.user;

import dev.trainyard.model.Message;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Knows those who want to be users and are none yet. */
public interface PendingSignUps {
  PendingSignUps NONE = (handle, nameKey) -> Optional.empty();

  /**
   * Somebody who waits or was refused.
   *
   * @param told what to tell whoever knows the password
   */
  record Newcomer(String passwordHash, Message told) {}

  Optional<Newcomer> find(Handle handle, String nameKey);
}
