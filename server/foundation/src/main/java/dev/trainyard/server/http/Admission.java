package dev.trainyard.server.http;

import java.util.Optional;

/**
 * Decides whether an endpoint of a foreign API accepts a request, before the body of the request is
 * read.
 */
@FunctionalInterface
public interface Admission {
  /** Accepts every request. The body is limited like that of a client that is not signed in. */
  Admission OPEN = _ -> Optional.empty();

  /** Returns the error response if the request is not accepted; empty if it is accepted. */
  Optional<Reply> reject(Request request) throws Exception;
}
