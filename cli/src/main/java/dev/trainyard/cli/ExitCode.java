package dev.trainyard.cli;

import dev.trainyard.model.ErrorCode;

/** Exit codes of commands. Scripts rely on them, and docs/cli.md lists them. */
public final class ExitCode {
  public static final int OK = 0;

  /** The request was rejected or failed. */
  public static final int FAILED = 1;

  /** Usage error. */
  public static final int USAGE = 2;

  public static final int NOT_ALLOWED = 3;
  public static final int NOT_FOUND = 4;
  public static final int UNREACHABLE = 5;

  /**
   * {@code run}: the job was stopped. Shells use the same code for a program that Ctrl-C
   * terminated.
   */
  public static final int STOPPED = 130;

  /**
   * The reader of the output closed the pipe. Equals the exit code of a program terminated by
   * SIGPIPE.
   */
  public static final int BROKEN_PIPE = 141;

  private ExitCode() {}

  public static int of(ErrorCode code) {
    return switch (code) {
      case SIGN_IN_REQUIRED, WRONG_CREDENTIALS, FORBIDDEN -> NOT_ALLOWED;
      case NOT_FOUND, GONE -> NOT_FOUND;
      case UNREACHABLE -> UNREACHABLE;
      case BAD_REQUEST,
          INVALID_JOB,
          METHOD_NOT_ALLOWED,
          NAME_TAKEN,
          CONFLICT,
          TOO_LARGE,
          URL_TOO_LONG,
          TOO_MANY_REQUESTS,
          INTERNAL,
          UNAVAILABLE,
          DISK_FULL ->
          FAILED;
    };
  }
}
