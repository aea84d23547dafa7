package dev.trainyard.server.audit;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;

/**
 * Who changes something. Texts that are not known are empty.
 *
 * @param userName as it is now: the record outlives the user
 */
public record Actor(String userId, String userName, String tokenId, String address) {
  /** The server itself; no user can be called that. */
  public static final Actor SYSTEM = new Actor("", "(system)", "", "");

  /** Somebody who did not sign in, or could not. */
  public static Actor unknown(String address) {
    return new Actor("", "(nobody)", "", address);
  }

  public static Actor of(Request request) {
    return request
        .signedInCaller()
        .map(
            caller ->
                new Actor(
                    caller.userId(), caller.userName(), caller.tokenId(), request.remoteAddress()))
        .orElseGet(() -> unknown(request.remoteAddress()));
  }

  public static Actor of(Caller caller) {
    return new Actor(caller.userId(), caller.userName(), caller.tokenId(), caller.address());
  }

  /** The same with the token that this very act makes. */
  public Actor withToken(String id) {
    return new Actor(userId, userName, id, address);
  }
}
