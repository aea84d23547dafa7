package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;

/**
 * The sender of a request.
 *
 * @param scope the part of the user's rights that the token grants
 * @param application whether the token is an application token, which cannot manage users, groups
 *     or tokens
 * @param address the client address; empty if the request does not come from a network
 * @param job the ID of the job to which the token belongs; such a token grants read access to that
 *     job only. Empty for users and external programs
 * @param localToken whether the token is the local token of the host, whose holder could also stop
 *     the server
 */
public record Caller(
    String userId,
    String userName,
    boolean admin,
    String tokenId,
    Scope scope,
    boolean application,
    String address,
    String job,
    boolean localToken) {

  public Caller(
      String userId,
      String userName,
      boolean admin,
      String tokenId,
      Scope scope,
      boolean application,
      String address) {
    this(userId, userName, admin, tokenId, scope, application, address, "", false);
  }

  /** Creates a caller with all rights of the user; the token is not an application token. */
  public Caller(String userId, String userName, boolean admin, String tokenId) {
    this(userId, userName, admin, tokenId, Scope.ALL, false, "");
  }

  /** Creates the caller for a task of a job. */
  public static Caller ofJob(String userId, String userName, String job) {
    return new Caller(userId, userName, false, "job:" + job, Scope.READ, true, "", job, false);
  }

  /** Throws if the caller is a job and the request concerns anything but that job. */
  void requireOwnJob(String requestedJob) {
    if (!job.isEmpty() && !job.equals(requestedJob)) {
      throw new AppException(
          ErrorCode.FORBIDDEN, Message.of("error.job-token", "path", "/api/v3/jobs/" + job));
    }
  }

  Caller withAddress(String remoteAddress) {
    return new Caller(
        userId, userName, admin, tokenId, scope, application, remoteAddress, job, localToken);
  }
}
