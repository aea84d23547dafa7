package dev.trainyard.server.http;

/** Where the packages of the server hang their endpoints. */
public interface Routes {
  /**
   * @param method GET, POST, PUT, PATCH, DELETE
   * @param path with parts as {@code :name}, for example {@code /api/v3/jobs/:job}
   */
  void add(String method, String path, Access access, Endpoint endpoint);
}
