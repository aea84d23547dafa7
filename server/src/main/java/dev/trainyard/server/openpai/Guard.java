package dev.trainyard.server.openpai;

import dev.trainyard.server.http.Caller;
import dev.trainyard.server.http.Request;

/** Who may use an operation of OpenPAI, with the words for those who may not. */
enum Guard {
  /** Everybody. */
  OPEN(false, false),
  /** Whoever has a valid token. */
  TOKEN(false, false),
  /** Whoever signed in; no application. */
  PERSON(true, false),
  /** Administrators, and their applications. */
  ADMIN(false, true),
  ADMIN_PERSON(true, true);

  private final boolean person;
  private final boolean admin;

  Guard(boolean person, boolean admin) {
    this.person = person;
    this.admin = admin;
  }

  void check(Request request) {
    if (this == OPEN) {
      return;
    }
    if (request.header("Authorization").isEmpty()) {
      throw PaiException.guest();
    }
    Caller caller = request.signedInCaller().orElseThrow(PaiException::badToken);
    if (admin && !caller.admin()) {
      throw PaiException.forbidden("Non-admin is not allow to do this operation.");
    }
  }
}
