package dev.trainyard.server.http;

import java.util.Optional;

/**
 * Decides, before the body of a request is read, whether an endpoint of an API that is not ours
 * takes the request.
 */
@FunctionalInterface
public interface Admission {
  /** Takes every request; its body is limited as that of a client that is not signed in. */
  Admission OPEN = _ -> Optional.empty();

  /** Returns the response for a request that is not taken. */
  Optional<Reply> refuse(Request request) throws Exception;
}
