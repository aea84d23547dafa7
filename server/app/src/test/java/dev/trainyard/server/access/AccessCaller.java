package dev.trainyard.server.access;

/** The sender of a request. The order is that of the columns in who-may-what.txt. */
enum AccessCaller {
  /** Without a token. */
  GUEST,
  /** The owner of the objects in the path. */
  USER,
  /** A user without any relation to the owner or the objects. */
  OTHER,
  /** A member of the owner's group, which grants the virtual cluster of the owner's job. */
  MEMBER,
  ADMIN,
  /** An application of the owner with the scope read. */
  READ,
  /** An application of the owner with the scope submit. */
  SUBMIT,
  /** An application of the owner with the scope all. */
  ALL,
  /** An application of an administrator with the scope all. */
  ADMIN_ALL,
  /**
   * The browser of an administrator, in which a page that does not know the CSRF token sends the
   * request.
   */
  COOKIE,
  /** A revoked token of the owner. */
  REVOKED,
  /** A token of an administrator who was disabled after the token was issued. */
  DISABLED
}
