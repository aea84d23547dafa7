package dev.trainyard.server.config;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TreeDeleter;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Files that tasks left in the data directory. They may belong to host IDs that the server's
 * account cannot access unless it is root; in that case the engine provides access. Thread-safe.
 */
public final class UserFiles {
  private volatile Engine engine;

  /** Sets the engine that provides access from now on. */
  public void setEngine(Engine helper) {
    engine = helper;
  }

  /** Grants the server read access to everything below a directory. */
  public void open(Path tree) {
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
      engine.makeDeletableByServer(tree);
      TreeDeleter.delete(tree);
    }
  }
}
