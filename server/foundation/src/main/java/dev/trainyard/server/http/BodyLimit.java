package dev.trainyard.server.http;

import dev.trainyard.model.DataSize;

/**
 * How long a request's body may be.
 *
 * @param judgedByEndpoint the endpoint runs even if the body is too long, and says so in its own
 *     words ({@link Request#bodyTooLarge}); otherwise the answer is TOO_LARGE
 * @param streamed the endpoint reads it itself ({@link Request#stream}) as it comes
 */
public record BodyLimit(DataSize most, boolean judgedByEndpoint, boolean streamed) {
  public static final BodyLimit GENERAL = of(DataSize.ofMegabytes(1));

  /** Maximum body of a request that anyone may send without signing in. */
  static final BodyLimit GUEST = of(new DataSize(32 << 10));

  /** Returns the limit for endpoints that are open to clients that are not signed in. */
  BodyLimit forGuests() {
    return equals(GENERAL) ? GUEST : this;
  }

  public static BodyLimit of(DataSize most) {
    return new BodyLimit(most, false, false);
  }

  public static BodyLimit judgedByEndpoint(DataSize most) {
    return new BodyLimit(most, true, false);
  }

  /** Nothing of it is kept in memory. */
  public static BodyLimit streamed(DataSize most) {
    return new BodyLimit(most, true, true);
  }
}
