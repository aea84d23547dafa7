package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;

/**
 * Required access level of an endpoint. The endpoint itself decides which objects the caller can
 * see. Unless stated otherwise, a request that only reads requires the scope {@code read}, and any
 * other request the scope {@code all}.
 */
public enum Access {
  /** All clients, signed in or not. */
  PUBLIC(false, false),
  /** All signed-in callers. */
  USER(false, false),
  /**
   * All signed-in callers with the scope {@code submit}, which is required even for reading; for
   * operations on jobs.
   */
  JOBS(false, false),
  /**
   * All signed-in users, but not application tokens; for operations on the user's own account and
   * tokens.
   */
  PERSON(false, true),
  /** Administrators; the scope {@code metrics} is sufficient. */
  METRICS(true, false),
  /** Administrators. */
  ADMIN(true, false),
  /**
   * Administrators, but not application tokens; for operations on other users and groups, and on
   * everything that grants rights or contains secrets.
   */
  MANAGE(true, true);

  private final boolean adminOnly;
  private final boolean personOnly;

  Access(boolean adminOnly, boolean personOnly) {
    this.adminOnly = adminOnly;
    this.personOnly = personOnly;
  }

  /** Throws if the caller does not have access. */
  void admit(Caller caller, boolean changes) {
    if (adminOnly && !caller.admin()) {
      throw forbidden(Message.of("error.admin-only"));
    }
    if (personOnly && caller.application()) {
      throw forbidden(Message.of("error.no-application"));
    }
    Scope requiredScope =
        switch (this) {
          case METRICS -> Scope.METRICS;
          case JOBS -> Scope.SUBMIT;
          default -> changes ? Scope.ALL : Scope.READ;
        };
    if (!caller.scope().includes(requiredScope)) {
      throw forbidden(
          Message.of("error.scope", "scope", caller.scope().label())
              .with("needed", requiredScope.label()));
    }
  }

  private static AppException forbidden(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }
}
