package dev.trainyard.server;

import dev.trainyard.model.Message;
import dev.trainyard.server.http.Routes;
import dev.trainyard.server.user.UnfinishedJobs;
import java.net.URI;
import java.util.List;

/** A part of the server that has endpoints and may run background work. */
public interface Feature extends AutoCloseable {
  /**
   * Creates a feature. Called after the core services have been created; must not start background
   * work.
   */
  @FunctionalInterface
  interface Factory {
    Feature create(CoreServices coreServices);
  }

  void addTo(Routes routes);

  /**
   * Starts the background work. The server starts to listen only after this method has returned.
   */
  default void start() {}

  /** Returns further addresses of this node on which the server must listen. */
  default List<String> addresses() {
    return List.of();
  }

  /**
   * Stops the processes of this feature that listen on a port that the server needs; returns
   * whether there were any.
   */
  default boolean releasePort(int port) {
    return false;
  }

  /** Returns warnings for administrators that do not change while the server runs. */
  default List<Message> warnings() {
    return List.of();
  }

  /**
   * Called after the server has started to listen. The URL is one of the URLs at which it listens.
   */
  default void listening(URI url) {}

  /**
   * Returns the function that counts the unfinished jobs of a user. A user with unfinished jobs
   * cannot be deleted.
   */
  default UnfinishedJobs unfinishedJobs() {
    return UnfinishedJobs.NONE;
  }

  /** Stops the background work; no request is in progress anymore. */
  @Override
  default void close() {}
}
