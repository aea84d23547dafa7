package dev.trainyard.server.user;

import java.util.Optional;

/** Knows people who have their password elsewhere. */
public interface Directory {
  Directory NONE = (name, password, address) -> Optional.empty();

  /**
   * The user of whoever has this name and password there; empty if they do not fit. Refuses with a
   * reason those who are known there and may not come in here.
   */
  Optional<User> signIn(String name, String password, String address);
}
