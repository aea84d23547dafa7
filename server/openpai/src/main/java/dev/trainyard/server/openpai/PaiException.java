package dev.trainyard.server.openpai;

/** An error with OpenPAI's code and message, which clients compare. */
final class PaiException extends RuntimeException {
  private final int status;
  private final String code;

  PaiException(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  int status() {
    return status;
  }

  String code() {
    return code;
  }

  static PaiException noJob(String reference) {
    return new PaiException(404, "NoJobError", "Job " + reference + " is not found.");
  }

  static PaiException invalid(String message) {
    return new PaiException(400, "InvalidParametersError", message);
  }

  static PaiException forbidden(String message) {
    return new PaiException(403, "ForbiddenUserError", message);
  }

  static PaiException guest() {
    return new PaiException(
        401, "UnauthorizedUserError", "Guest is not allowed to do this operation.");
  }

  static PaiException badToken() {
    return new PaiException(401, "UnauthorizedUserError", "Your token is invalid.");
  }

  static PaiException noUser(int status, String name) {
    return new PaiException(status, "NoUserError", "User " + name + " is not found.");
  }
}
