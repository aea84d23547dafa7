package dev.trainyard.server.openpai;

import org.jdbi.v3.core.Handle;

/** A store in the adapter, which has no SQL. */
public final class ForbiddenStore {
  private ForbiddenStore() {}

  static int count(Handle handle) {
    return handle.execute("select 1");
  }
}
