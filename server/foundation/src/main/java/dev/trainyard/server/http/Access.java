package dev.trainyard.server.http;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;

/**
 * Who may use an endpoint at all; what exactly they may see is the endpoint's own rule. Looking
 * needs the scope read and changing the scope all, unless it says otherwise.
 */
public enum Access {
  /** Everybody, signed in or not. */
  PUBLIC(false, false),
  /** Whoever is signed in. */
  USER(false, false),
  /** The same, for what one does with jobs: the scope submit is enough, but needed to look too. */
  JOBS(false, false),
  /** Whoever is signed in as a person: their account, their tokens. */
  PERSON(false, true),
  /** Administrators; the scope metrics is enough. */
  METRICS(true, false),
  /** Administrators. */
  ADMIN(true, false),
  /** Administrators as persons: other people, groups, whatever gives rights or holds secrets. */
  MANAGE(true, true);

  private final boolean adminOnly;
  private final boolean personOnly;

  Access(boolean adminOnly, boolean personOnly) {
    this.adminOnly = adminOnly;
    this.personOnly = personOnly;
  }

  /** Refuses a caller who may not. */
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
