package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import java.util.function.Function;

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
   * A place to talk both ways over a WebSocket. The endpoint returns a {@link WebSocketSession},
   * and whatever it refuses is refused before the WebSocket comes to be. A browser gets in only
   * from a page of ours.
   */
  void addSocket(String path, Access access, Endpoint endpoint);

  /**
   * An endpoint of an API that is not ours. It judges by itself who may use it and says no in its
   * own words; a cookie means nothing to it, so that requests from pages of other sites can do no
   * harm and need not be kept out.
   *
   * @param method or {@code *} for all
   * @param path as above, or with a last part {@code *} for all that begins so
   * @param admission runs before the body is read
   * @param refusals how a refusal is written
   */
  void addForeign(
      String method,
      String path,
      BodyLimit limit,
      Admission admission,
      Endpoint endpoint,
      Function<AppException, Reply> refusals);

  /**
   * What answers GET and HEAD at addresses that nobody has added. It refuses what it does not know.
   */
  void addRest(Endpoint endpoint);
}
