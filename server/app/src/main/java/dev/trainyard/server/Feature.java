package dev.trainyard.server;

import dev.trainyard.model.Message;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.user.UnfinishedJobs;
import java.net.URI;
import java.util.List;

/** A part of the server that has endpoints and may run background work. */
public interface Feature extends AutoCloseable {
  /**
   * Creates a feature after the core services have been created; must not start background work.
   */
  @FunctionalInterface
  interface Factory {
    Feature create(CoreServices coreServices);
  }

  void addTo(Routes routes);

  /** Starts the background work; the server listens only afterwards. */
  default void start() {}

  /** Returns further addresses of this node on which the server must listen. */
  default List<String> addresses() {
    return List.of();
  }

  /**
   * Stops whatever this feature runs on a port that the server needs; returns whether there was
   * anything to stop.
   */
  default boolean releasePort(int port) {
    return false;
  }

  /** Returns warnings for administrators that do not change while the server runs. */
  default List<Message> warnings() {
    return List.of();
  }

  /** Called when the server listens, at least at this address. */
  default void listening(URI url) {}

  /** Returns the check that prevents the deletion of a user. */
  default UnfinishedJobs unfinishedJobs() {
    return UnfinishedJobs.NONE;
  }

  /** Stops the background work; no request is in progress anymore. */
  @Override
  default void close() {}
}
