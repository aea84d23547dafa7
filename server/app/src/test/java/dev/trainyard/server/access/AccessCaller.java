package dev.trainyard.server.access;

/** The sender of a request, in the order of the columns. */
enum AccessCaller {
  /** Without a token. */
  GUEST,
  /** The owner of the objects in the path. */
  USER,
  /** A user without any relation to them. */
  OTHER,
  /** A member of the same group, which grants the virtual cluster of the user's job. */
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
  /** An administrator's browser, used by a page that does not know the CSRF value. */
  COOKIE,
  /** A revoked token of the user. */
  REVOKED,
  /** A token of an administrator who has been disabled since. */
  DISABLED
}
