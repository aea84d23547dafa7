package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Outages;
import java.util.Optional;

/**
 * Recognizes temporary failures that the request did not cause: a database that is locked, restarts
 * or cannot be reached, and a full disk. The client gets a specific error instead of an internal
 * error.
 */
final class TransientFailures {
  private TransientFailures() {}

  /** Returns the error for a failure that an outage caused; empty for other failures. */
  static Optional<AppException> of(Throwable failure, String requestId) {
    return Outages.kind(failure)
        .map(
            kind ->
                switch (kind) {
                  case DISK_FULL -> error(ErrorCode.DISK_FULL, "error.disk-full", requestId);
                  case POSTGRES_DISK_FULL ->
                      error(ErrorCode.DISK_FULL, "error.postgres-disk-full", requestId);
                  case AWAY -> error(ErrorCode.UNAVAILABLE, "error.unavailable", requestId);
                  case UNKNOWN_OUTCOME ->
                      error(ErrorCode.UNAVAILABLE, "error.unknown-outcome", requestId);
                  case NOT_LEADING -> error(ErrorCode.UNAVAILABLE, "error.not-leading", requestId);
                });
  }

  private static AppException error(ErrorCode code, String message, String requestId) {
    return new AppException(code, Message.of(message, "requestId", requestId));
  }
}
