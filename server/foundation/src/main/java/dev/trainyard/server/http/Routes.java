package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import java.util.function.Function;

/** Registry to which the packages of the server add their endpoints. */
public interface Routes {
  /**
   * @param method GET (which also handles HEAD), POST, PUT, PATCH, DELETE
   * @param path with parameters as {@code :name}, for example {@code /api/v3/jobs/:job}
   */
  default void add(String method, String path, Access access, Endpoint endpoint) {
    add(method, path, access, BodyLimit.GENERAL, endpoint);
  }

  /** Like {@link #add(String, String, Access, Endpoint)}, with another limit for the body. */
  void add(String method, String path, Access access, BodyLimit limit, Endpoint endpoint);

  /**
   * Adds a WebSocket endpoint. The endpoint returns a {@link WebSocketSession}; its errors are
   * reported before the WebSocket is established. Requests of browsers are accepted only from pages
   * of this server.
   */
  void addSocket(String path, Access access, Endpoint endpoint);

  /**
   * Adds an endpoint of a foreign API, which checks access itself and reports errors in its own
   * format. Cookies are ignored, so requests from pages of other sites are harmless and need not be
   * rejected.
   *
   * @param method HTTP method, or {@code *} for all
   * @param path like the path of {@link #add}, or a prefix followed by {@code *}
   * @param admission runs before the body is read
   * @param errorFormat formats an error
   */
  void addForeign(
      String method,
      String path,
      BodyLimit limit,
      Admission admission,
      Endpoint endpoint,
      Function<AppException, Reply> errorFormat);

  /**
   * Sets the endpoint for GET and HEAD requests on all other paths. The endpoint rejects unknown
   * paths itself.
   */
  void addDefault(Endpoint endpoint);
}
