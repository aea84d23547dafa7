package dev.trainyard.server.http;

/**
 * Who sends a request.
 *
 * @param scope how much of the user's rights the token carries
 * @param application whether it is a program's token, which may not manage people, groups or tokens
 * @param address where the request comes from; empty if it comes from no network
 * @param machine whether it is the machine's own token, whose holder could end the server as well
 */
public record Caller(
    String userId,
    String userName,
    boolean admin,
    String tokenId,
    Scope scope,
    boolean application,
    String address,
    boolean machine) {

  public Caller(
      String userId,
      String userName,
      boolean admin,
      String tokenId,
      Scope scope,
      boolean application,
      String address) {
    this(userId, userName, admin, tokenId, scope, application, address, false);
  }

  /** Somebody in person, with all rights. */
  public Caller(String userId, String userName, boolean admin, String tokenId) {
    this(userId, userName, admin, tokenId, Scope.ALL, false, "");
  }

  Caller at(String remoteAddress) {
    return new Caller(userId, userName, admin, tokenId, scope, application, remoteAddress, machine);
  }
}
