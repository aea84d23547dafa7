package dev.trainyard.server.config;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TreeDeleter;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Access to the files that tasks left in the data directory. A file may belong to another user ID
 * of the host, so that the server can access it only as root. If the server does not run as root,
 * the engine provides access. Thread-safe.
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
