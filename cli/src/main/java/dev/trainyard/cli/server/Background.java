package dev.trainyard.cli.server;

import dev.trainyard.cli.Session;
import dev.trainyard.cli.api.LocalServer;
import java.nio.file.Path;
import java.util.List;

/** Starts a server that keeps running after this command exits. */
@FunctionalInterface
public interface Background {
  /**
   * Returns when the server is ready; throws an AppException with the reason if it does not start.
   *
   * @param options options of the server, as on the command line
   * @param session session of the calling command, in which the progress and, at the first start,
   *     the password are shown
   */
  LocalServer start(Path data, List<String> options, Session session);
}
