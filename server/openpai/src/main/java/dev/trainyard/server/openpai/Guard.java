package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;
import dev.trainyard.server.http.Scope;

/** The callers that may use an operation of OpenPAI, with the errors for all other callers. */
enum Guard {
  /** All callers. */
  OPEN(false, false),
  /** Callers with a valid token. */
  TOKEN(false, false),
  /** Signed-in users, but not their applications. */
  PERSON(true, false),
  /** Administrators and their applications. */
  ADMIN(false, true),
  ADMIN_PERSON(true, true);

  private final boolean person;
  private final boolean admin;

  Guard(boolean person, boolean admin) {
    this.person = person;
    this.admin = admin;
  }

  /**
   * @param needed scope that the token must have
   */
  void check(Request request, Scope needed) {
    if (this == OPEN) {
      return;
    }
    if (request.header("Authorization").isEmpty()) {
      throw PaiException.guest();
    }
    Caller caller = request.signedInCaller().orElseThrow(PaiException::badToken);
    if (person && caller.application()) {
      throw PaiException.forbidden("Applications are not allowed to do this operation.");
    }
    if (admin && !caller.admin()) {
      throw PaiException.forbidden("Non-admin is not allow to do this operation.");
    }
    if (!caller.scope().includes(needed)) {
      throw PaiException.forbidden(
          "The token has the scope %s; this operation needs %s."
              .formatted(caller.scope().label(), needed.label()));
    }
  }
}
