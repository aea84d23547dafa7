package dev.trainyard.server.example;

import org.jdbi.v3.core.Handle;

/** A class that may contain SQL. */
public final class AllowedStore {
  private AllowedStore() {}

  static int count(Handle handle) {
    return handle.createQuery("select 1").map((rows, _) -> rows.getInt(1)).one();
  }
}
