package dev.trainyard.model;

/** Every way a request can be refused. The API sends the name, the CLI rebuilds the exception. */
public enum ErrorCode {
  BAD_REQUEST(400),
  INVALID_JOB(400),
  SIGN_IN_REQUIRED(401),
  WRONG_CREDENTIALS(401),
  FORBIDDEN(403),
  NOT_FOUND(404),
  METHOD_NOT_ALLOWED(405),
  NAME_TAKEN(409),
  /** The thing is in a state in which this can't be done. */
  CONFLICT(409),
  /** It was there, and was deleted. */
  GONE(410),
  TOO_LARGE(413),
  TOO_MANY_REQUESTS(429),
  INTERNAL(500),
  /** The database does not answer at the moment. */
  UNAVAILABLE(503),
  /** The server has no room to write. */
  DISK_FULL(507),
  /** For clients: nothing answers at the server's address. */
  UNREACHABLE(503);

  private final int status;

  ErrorCode(int status) {
    this.status = status;
  }

  public int status() {
    return status;
  }
}
