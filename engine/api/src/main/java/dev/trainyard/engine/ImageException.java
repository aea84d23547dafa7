package dev.trainyard.engine;

/** Something about an image could not be done; the kind says whose matter that is. */
public final class ImageException extends RuntimeException {
  /** Why. */
  public enum Kind {
    /** There is none of that name, or none that this login may see: registries don't tell which. */
    UNKNOWN_IMAGE,
    LOGIN_REFUSED,
    BAD_NAME,
    /** The registry does not answer. */
    UNREACHABLE,
    /** The engine itself does not answer. */
    ENGINE_ABSENT,
    NO_ROOM,
    /** A container is made of it. */
    IN_USE,
    /** The one who waited for it gave up. */
    GIVEN_UP,
    OTHER
  }

  private final Kind kind;

  /**
   * @param detail what the engine said, in a short line
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

  /** Whether it may work the next time without anybody doing anything. */
  public boolean isPassing() {
    return switch (kind) {
      case UNREACHABLE, ENGINE_ABSENT, NO_ROOM, OTHER, GIVEN_UP -> true;
      case UNKNOWN_IMAGE, LOGIN_REFUSED, BAD_NAME, IN_USE -> false;
    };
  }
}
