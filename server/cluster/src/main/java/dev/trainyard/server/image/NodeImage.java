package dev.trainyard.server.image;

import java.time.Instant;

/**
 * Record of an image on the node.
 *
 * @param reference complete reference
 * @param restricted whether only the permitted users may use the image
 * @param creator ID of the user who created the image; empty if no user created it
 */
record NodeImage(
    String reference,
    String imageId,
    Origin origin,
    boolean restricted,
    String creator,
    Instant lastUsed) {

  /** Returns whether a user created the image or is creating it. */
  boolean isUserCreated() {
    return origin == Origin.MADE || origin == Origin.MAKING;
  }

  /** Origin of the image. The constant names are stored. */
  enum Origin {
    /** Neither pulled nor created by the platform; never removed by garbage collection. */
    FOUND,
    PULLED,
    /**
     * Being created, or incomplete because the server stopped during the creation. Must not be
     * used.
     */
    MAKING,
    /** Created from a task; this may be the only copy. */
    MADE
  }
}
