package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;

/**
 * Required access level of an endpoint; what a caller can see in detail is decided by the endpoint.
 * Reading requires the scope read and changing the scope all, unless stated otherwise.
 */
public enum Access {
  /** All clients, signed in or not. */
  PUBLIC(false, false),
  /** All signed-in callers. */
  USER(false, false),
  /** All signed-in callers, for operations on jobs: requires the scope submit, even for reading. */
  JOBS(false, false),
  /** All signed-in users, but no application tokens: their account, their tokens. */
  PERSON(false, true),
  /** Administrators; the scope metrics is sufficient. */
  METRICS(true, false),
  /** Administrators. */
  ADMIN(true, false),
  /**
   * Administrators, but no application tokens: other users, groups, and everything that grants
   * rights or contains secrets.
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
      throw refusal(Message.of("error.admin-only"));
    }
    if (personOnly && caller.application()) {
      throw refusal(Message.of("error.no-application"));
    }
    Scope needed =
        switch (this) {
          case METRICS -> Scope.METRICS;
          case JOBS -> Scope.SUBMIT;
          default -> changes ? Scope.ALL : Scope.READ;
        };
    if (!caller.scope().includes(needed)) {
      throw refusal(
          Message.of("error.scope", "scope", caller.scope().label())
              .with("needed", needed.label()));
    }
  }

  private static AppException refusal(Message message) {
    return new AppException(ErrorCode.FORBIDDEN, message);
  }
}
