package dev.trainyard.engine;

/**
 * An image operation failed. The kind indicates whether the user or an administrator has to fix the
 * cause, or whether a retry may succeed.
 */
public final class ImageException extends RuntimeException {
  /** Cause of the failure. */
  public enum Kind {
    /**
     * The image does not exist or this login cannot see it; registries do not distinguish the two.
     */
    UNKNOWN_IMAGE,
    LOGIN_REFUSED,
    BAD_NAME,
    /** The registry does not respond. */
    UNREACHABLE,
    /** The engine itself does not respond. */
    ENGINE_ABSENT,
    NO_ROOM,
    /** A container uses the image. */
    IN_USE,
    /** The waiting thread was interrupted. */
    GIVEN_UP,
    OTHER
  }

  private final Kind kind;

  /**
   * @param detail the error message of the engine, in one short line
   */
  public ImageException(Kind kind, String detail) {
    this(kind, detail, null);
  }

  public ImageException(Kind kind, String detail, Throwable cause) {
    super(detail, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  /** Returns whether the failure is transient, so that a retry may succeed without intervention. */
  public boolean isPassing() {
    return switch (kind) {
      case UNREACHABLE, ENGINE_ABSENT, NO_ROOM, OTHER, GIVEN_UP -> true;
      case UNKNOWN_IMAGE, LOGIN_REFUSED, BAD_NAME, IN_USE -> false;
    };
  }
}
