package dev.trainyard.cli.server;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.LocalServer;
import java.nio.file.Path;
import java.util.List;

/** Starts a server that stays when this command ends. */
@FunctionalInterface
public interface Background {
  /**
   * Returns when the server is ready; otherwise an AppException says why it did not start.
   *
   * @param options for the server, as on the command line
   * @param session where progress, and the password of a first start, are shown
   */
  LocalServer start(Path data, List<String> options, Session session);
}
