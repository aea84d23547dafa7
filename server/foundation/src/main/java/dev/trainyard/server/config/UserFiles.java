package dev.trainyard.server.config;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TreeDeleter;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Access to the files that tasks left in the data directory. Unless the server runs as root, it may
 * be unable to access them, because they may belong to other user IDs of the host; in that case the
 * engine provides access. Thread-safe.
 */
public final class UserFiles {
  private volatile Engine engine;

  /** Sets the engine that provides access from now on. */
  public void setEngine(Engine newEngine) {
    engine = newEngine;
  }

  /** Grants the server read access to everything below a directory. */
  public void makeReadable(Path tree) {
    if (engine != null) {
      engine.makeReadableByServer(tree);
    }
  }

  /** Deletes a directory with its content; does nothing if it does not exist. */
  public void delete(Path tree) {
    try {
      TreeDeleter.delete(tree);
    } catch (UncheckedIOException e) {
      if (engine == null) {
        throw e;
      }
      engine.deleteTree(tree);
      TreeDeleter.delete(tree);
    }
  }
}
