package dev.trainyard.server.user;

import java.util.Optional;

/** Authenticates users whose passwords are stored outside this server. */
public interface Directory {
  Directory NONE = (name, password, address) -> Optional.empty();

  /**
   * Returns the user with this name and password; empty if the credentials are wrong. Throws with a
   * reason if the user is known to the directory but may not sign in here.
   */
  Optional<User> signIn(String name, String password, String address);
}
