package dev.trainyard.server;

import dev.trainyard.server.http.Routes;
import dev.trainyard.server.user.UnfinishedJobs;
import dev.trainyard.server.user.User;
import java.net.URI;
import java.util.List;

/** A part of the server that has endpoints and may have work in the background. */
public interface Feature extends AutoCloseable {
  /** Makes a part, once the foundation stands; nothing runs yet. */
  @FunctionalInterface
  interface Factory {
    Feature create(CoreServices coreServices);
  }

  void addTo(Routes routes);

  /** Begins the work in the background; the server listens only afterwards. */
  default void start() {}

  /** On which further addresses of this machine the server is to listen. */
  default List<String> addresses() {
    return List.of();
  }

  /** It listens now, at least here. */
  default void listening(URI url) {}

  /** What keeps a user from being deleted. */
  default UnfinishedJobs unfinishedJobs() {
    return UnfinishedJobs.NONE;
  }

  /** Puts away what a user left who is no more. */
  default void userDeleted(User user) {}

  /** Ends the work in the background; no request is under way any more. */
  @Override
  default void close() {}
}
