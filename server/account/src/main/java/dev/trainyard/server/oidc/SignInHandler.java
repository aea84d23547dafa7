package dev.trainyard.server.oidc;

import dev.trainyard.model.AppException;
import dev.trainyard.server.http.Reply;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.user.User;
import java.util.Optional;

/** What follows when somebody has come back from the provider. */
public interface SignInHandler {
  /** Whether this is a place to land at; anything else is refused, before and after. */
  boolean accepts(String to);

  /** They are who they say. */
  Reply arrived(String to, User user, Request request);

  /** They could not come in; empty to say so as everywhere. */
  default Optional<Reply> failed(String to, AppException why) {
    return Optional.empty();
  }
}
