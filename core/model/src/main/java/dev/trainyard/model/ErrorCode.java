package dev.trainyard.model;

/**
 * The possible errors of a request. The API sends the constant name, from which the command line
 * creates the exception again.
 */
public enum ErrorCode {
  BAD_REQUEST(400),
  INVALID_JOB(400),
  SIGN_IN_REQUIRED(401),
  WRONG_CREDENTIALS(401),
  FORBIDDEN(403),
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  NAME_TAKEN(409),
  /** The state of the object does not allow the operation. */
  CONFLICT(409),
  /** The object existed and was deleted. */
  GONE(410),
  TOO_LARGE(413),
  URL_TOO_LONG(414),
  TOO_MANY_REQUESTS(429),
  INTERNAL(500),
  /** The database does not respond at the moment. */
  UNAVAILABLE(503),
  /** The server has no disk space left. */
  DISK_FULL(507),
  /** Used only by clients: the server's address does not respond. */
  UNREACHABLE(503);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  public int status() {
    return status;
  }
}
