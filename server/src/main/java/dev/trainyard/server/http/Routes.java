package dev.trainyard.server.http;

/** Where the packages of the server hang their endpoints. */
public interface Routes {
  /**
   * @param method GET (which answers HEAD too), POST, PUT, PATCH, DELETE
   * @param path with parts as {@code :name}, for example {@code /api/v3/jobs/:job}
   */
  default void add(String method, String path, Access access, Endpoint endpoint) {
    add(method, path, access, BodyLimit.GENERAL, endpoint);
  }

  /** The same, for bodies of another length than most. */
  void add(String method, String path, Access access, BodyLimit limit, Endpoint endpoint);

  /**
   * A place to talk both ways over a WebSocket. The endpoint returns a {@link Conversation}, and
   * whatever it refuses is refused before the WebSocket comes to be. A browser gets in only from a
   * page of ours.
   */
  void addSocket(String path, Access access, Endpoint endpoint);
}
