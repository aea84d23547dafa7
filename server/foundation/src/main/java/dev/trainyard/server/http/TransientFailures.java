package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import dev.trainyard.server.db.Outages;
import java.util.Optional;

/**
 * Temporary failures that are not caused by the request: a database that is locked, restarts or
 * cannot be reached, and a full disk. The client gets a specific error instead of "something went
 * wrong".
 */
final class TransientFailures {
  private TransientFailures() {}

  /** Returns the error for a failure, if it is an outage. */
  static Optional<AppException> of(Throwable failure, String requestId) {
    return Outages.kind(failure)
        .map(
            kind ->
                switch (kind) {
                  case DISK_FULL -> refusal(ErrorCode.DISK_FULL, "error.disk-full", requestId);
                  case POSTGRES_DISK_FULL ->
                      refusal(ErrorCode.DISK_FULL, "error.postgres-disk-full", requestId);
                  case AWAY -> refusal(ErrorCode.UNAVAILABLE, "error.unavailable", requestId);
                  case UNKNOWN_OUTCOME ->
                      refusal(ErrorCode.UNAVAILABLE, "error.unknown-outcome", requestId);
                  case NOT_LEADING ->
                      refusal(ErrorCode.UNAVAILABLE, "error.not-leading", requestId);
                });
  }

  private static AppException refusal(ErrorCode code, String message, String requestId) {
    return new AppException(code, Message.of(message, "requestId", requestId));
  }
}
