package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.user.User;
import java.util.Optional;

/** Completes a sign-in after the provider has authenticated the user. */
public interface SignInHandler {
  /**
   * Returns whether the target is valid. Called both before and after the redirect to the provider.
   */
  boolean accepts(String target);

  /** Called after a successful sign-in. */
  Reply signedIn(String target, User user, Request request);

  /** Called after a failed sign-in. If the result is empty, the usual error response is sent. */
  default Optional<Reply> failed(String target, AppException failure) {
    return Optional.empty();
  }
}
