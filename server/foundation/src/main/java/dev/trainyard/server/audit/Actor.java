package dev.trainyard.server.audit;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;

/**
 * The user or client that made a change. Unknown values are empty.
 *
 * @param userName the name at the time of the change, stored because the record remains when the
 *     user is deleted
 */
public record Actor(String userId, String userName, String tokenId, String address) {
  /** The server itself. Its name is not a valid user name. */
  public static final Actor SYSTEM = new Actor("", "(system)", "", "");

  /** Returns the actor for a client that is not signed in. */
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

  /**
   * Returns a copy with another token ID, such as that of the token that the recorded action
   * creates.
   */
  public Actor withToken(String id) {
    return new Actor(userId, userName, id, address);
  }
}
