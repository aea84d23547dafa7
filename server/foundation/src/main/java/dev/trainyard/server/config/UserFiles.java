package dev.trainyard.server.config;

import dev.trainyard.engine.Engine;
import dev.trainyard.engine.TreeDeleter;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * What tasks left in the data directory. They may have given it to ids that the server's account
 * can't reach, if that is not root; then the engine helps. Thread-safe.
 */
public final class UserFiles {
  private volatile Engine engine;

  /** From here on this engine is asked. */
  public void reachBy(Engine helper) {
    engine = helper;
  }

  /** Makes all below a directory readable for the server. */
  public void open(Path tree) {
    if (engine != null) {
      engine.openToServer(tree);
    }
  }

  /** Deletes a directory with all it contains; nothing happens if there is none. */
  public void delete(Path tree) {
    try {
      TreeDeleter.delete(tree);
    } catch (UncheckedIOException e) {
      if (engine == null) {
        throw e;
      }
      engine.giveToServer(tree);
      TreeDeleter.delete(tree);
    }
  }
}
