package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;

/**
 * Who sends a request.
 *
 * @param scope how much of the user's rights the token carries
 * @param application whether it is a program's token, which may not manage people, groups or tokens
 * @param address where the request comes from; empty if it comes from no network
 * @param job the id of the job whose token it is, which lets it look at that job and nothing else;
 *     empty for people and programs outside
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
    String job,
    boolean machine) {

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

  /** Somebody in person, with all rights. */
  public Caller(String userId, String userName, boolean admin, String tokenId) {
    this(userId, userName, admin, tokenId, Scope.ALL, false, "");
  }

  /** A task of somebody's job. */
  public static Caller ofJob(String userId, String userName, String job) {
    return new Caller(userId, userName, false, "job:" + job, Scope.READ, true, "", job, false);
  }

  /** Refuses what is none of a job's business, where a job asks. */
  void requireOwn(String named) {
    if (!job.isEmpty() && !job.equals(named)) {
      throw new AppException(
          ErrorCode.FORBIDDEN, Message.of("error.job-token", "path", "/api/v3/jobs/" + job));
    }
  }

  Caller at(String remoteAddress) {
    return new Caller(
        userId, userName, admin, tokenId, scope, application, remoteAddress, job, machine);
  }
}
