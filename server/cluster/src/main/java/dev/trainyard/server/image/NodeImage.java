package dev.trainyard.server.image;

import java.time.Instant;

/**
 * Record of an image on the node.
 *
 * @param reference complete reference
 * @param restricted whether only its readers may use it
 * @param creator ID of the user who created it, or empty
 */
record NodeImage(
    String reference,
    String imageId,
    Origin origin,
    boolean restricted,
    String creator,
    Instant used) {

  /** Returns whether a user created the image or is creating it. */
  boolean isUserCreated() {
    return origin == Origin.MADE || origin == Origin.MAKING;
  }

  /** Origin of the image. The constant names are stored. */
  enum Origin {
    /** Not pulled or created by the platform; never removed by garbage collection. */
    FOUND,
    PULLED,
    /** Being created, or incomplete because the server ended: it must not be used yet. */
    MAKING,
    /** Created from a task; this may be the only copy. */
    MADE
  }
}
