package dev.trainyard.server.http;

import java.util.Optional;

/**
 * Decides, before the body of a request is read, whether an endpoint of a foreign API accepts the
 * request.
 */
@FunctionalInterface
public interface Admission {
  /** Accepts every request; its body is limited like the body of a client that is not signed in. */
  Admission OPEN = _ -> Optional.empty();

  /** Returns the response for a request that is not accepted. */
  Optional<Reply> reject(Request request) throws Exception;
}
