package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;

/**
 * Lets pages of other sites use this API, as OpenPAI does for its plug-ins. A cookie never signs a
 * request here and {@code *} never goes with one, so a page can only do what it has a token for.
 */
final class Cors {
  private static final String DAY = "86400";

  private Cors() {}

  static Reply open(Reply reply) {
    return reply
        .with("Access-Control-Allow-Origin", "*")
        .with("Access-Control-Expose-Headers", "Retry-After,X-Request-Id");
  }

  /** What a browser asks before it sends a request with a token. */
  static Reply preflight(Request request) {
    return open(Reply.noContent())
        .with("Access-Control-Allow-Methods", "GET,HEAD,PUT,POST,DELETE")
        .with("Access-Control-Allow-Headers", "Authorization,Content-Type")
        .with("Access-Control-Max-Age", DAY);
  }
}
