package dev.trainyard.server.access;

/** Who sends a request, in the order of the columns. */
enum AccessCaller {
  /** Without a token. */
  GUEST,
  /** Whose the things in the path are. */
  USER,
  /** Somebody who has nothing to do with them. */
  OTHER,
  /** Somebody in the same group, which grants the virtual cluster of the user's job. */
  MEMBER,
  ADMIN,
  /** The user's application with the scope read. */
  READ,
  /** The user's application with the scope submit. */
  SUBMIT,
  /** The user's application with the scope all. */
  ALL,
  /** An administrator's application with the scope all. */
  ADMIN_ALL,
  /** An administrator's browser, on behalf of a page that does not know the CSRF value. */
  COOKIE,
  /** A token of the user that was revoked. */
  REVOKED,
  /** A token of an administrator who was disabled since. */
  DISABLED
}
