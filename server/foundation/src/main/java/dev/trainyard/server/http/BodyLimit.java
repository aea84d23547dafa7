package dev.trainyard.server.http;

import dev.trainyard.model.DataSize;

/**
 * Maximum length of a request body.
 *
 * @param checkedByEndpoint whether the endpoint is called even if the body is too long, and returns
 *     its own error ({@link Request#bodyTooLarge}); if false, the response is TOO_LARGE
 * @param streamed whether the endpoint reads the body itself ({@link Request#stream}) while it
 *     arrives
 */
public record BodyLimit(DataSize maxSize, boolean checkedByEndpoint, boolean streamed) {
  public static final BodyLimit GENERAL = of(DataSize.ofMegabytes(1));

  /** For a body of any length that the endpoint reads while it arrives. */
  public static final BodyLimit STREAMED = streamed(new DataSize(Long.MAX_VALUE));

  /** Limit for requests of clients that are not signed in. */
  static final BodyLimit GUEST = of(new DataSize(32 << 10));

  /** Returns the limit to apply if the endpoint accepts clients that are not signed in. */
  BodyLimit forGuests() {
    return equals(GENERAL) ? GUEST : this;
  }

  public static BodyLimit of(DataSize maxSize) {
    return new BodyLimit(maxSize, false, false);
  }

  public static BodyLimit checkedByEndpoint(DataSize maxSize) {
    return new BodyLimit(maxSize, true, false);
  }

  /** Returns a limit for a body that is not kept in memory. */
  public static BodyLimit streamed(DataSize maxSize) {
    return new BodyLimit(maxSize, true, true);
  }
}
