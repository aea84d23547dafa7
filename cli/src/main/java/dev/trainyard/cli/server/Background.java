package dev.trainyard.cli.server;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Starts a server that stays when this command ends. */
@FunctionalInterface
public interface Background {
  /**
   * Returns when the server is ready; otherwise an AppException says why it did not start.
   *
   * @param options for the server, as on the command line
   * @param progress told from time to time what is being waited for
   */
  LocalServer start(Path data, List<String> options, Consumer<String> progress);
}
