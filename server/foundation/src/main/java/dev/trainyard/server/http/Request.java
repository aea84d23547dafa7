package dev.trainyard.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** A request as an endpoint sees it. */
public interface Request {
  /** Who asks; fails for endpoints that are {@link Access#PUBLIC}. */
  Caller caller();

  /** A decoded part of the path, by the name it has in the route. */
  String path(String name);

  /** The first value of a query parameter. */
  Optional<String> query(String name);

  /** All values of a query parameter, in order. */
  default List<String> queries(String name) {
    return query(name).stream().toList();
  }

  Optional<String> header(String name);

  /** Path and query as they were sent. */
  default String uri() {
    return "";
  }

  /** The address of the client, behind trusted proxies too. */
  String remoteAddress();

  /** The whole body as text; BAD_REQUEST if it is not UTF-8. */
  String text();

  /** The whole body as a JSON object; BAD_REQUEST if it is not one. */
  JsonNode json();

  /** The body as it comes, for routes that say so; reading it throws TOO_LARGE at the limit. */
  default InputStream stream() {
    throw new IllegalStateException("the route has no stream");
  }

  /** Whether the body is longer than the route's limit; only where the endpoint judges that. */
  default boolean bodyTooLarge() {
    return false;
  }

  /** Whether the client speaks TLS, with us or with a trusted proxy. */
  default boolean secure() {
    return false;
  }

  /**
   * Whether the request was made on this machine: no proxy stands between, as far as can be seen.
   */
  default boolean local() {
    return false;
  }

  /** Whether whoever was let in would be let in now, as the same; for answers that take long. */
  default boolean isStillSignedIn() {
    return true;
  }

  /** Who asks, also for endpoints that are {@link Access#PUBLIC}; empty without a valid token. */
  default Optional<Caller> signedInCaller() {
    return Optional.of(caller());
  }
}
