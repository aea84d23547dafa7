package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;

/**
 * Allows pages of other sites to use this API, as OpenPAI does for its plug-ins. Cookies never
 * authenticate a request to this API, and if the allowed origin is {@code *}, browsers do not let
 * pages read responses to requests with cookies. So a page can only do what its token permits.
 */
final class Cors {
  private static final String DAY = "86400";

  private Cors() {}

  static Reply open(Reply reply) {
    return reply
        .with("Access-Control-Allow-Origin", "*")
        .with("Access-Control-Expose-Headers", "Retry-After,X-Request-Id");
  }

  /** Returns the response to a browser's preflight request. */
  static Reply preflight(Request request) {
    return open(Reply.noContent())
        .with("Access-Control-Allow-Methods", "GET,HEAD,PUT,POST,DELETE")
        .with("Access-Control-Allow-Headers", "Authorization,Content-Type")
        .with("Access-Control-Max-Age", DAY);
  }
}
