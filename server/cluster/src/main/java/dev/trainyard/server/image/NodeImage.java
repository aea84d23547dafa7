package dev.trainyard.server.image;

import java.time.Instant;

/**
 * What the platform knows of an image on the machine.
 *
 * @param reference completed
 * @param restricted whether only its readers may use it
 * @param maker the id of the user who made it, or empty
 */
record NodeImage(
    String reference,
    String imageId,
    Origin origin,
    boolean restricted,
    String maker,
    Instant used) {

  /** Whether it is somebody's work, done or under way. */
  boolean isMade() {
    return origin == Origin.MADE || origin == Origin.MAKING;
  }

  /** How it came to be there. The names are stored. */
  enum Origin {
    /** Somebody else put it there, or it was there before us: never to be cleaned away. */
    FOUND,
    PULLED,
    /** It is being made, or was when the server ended: nobody may use it yet. */
    MAKING,
    /** From a task: there may be no other copy of it. */
    MADE
  }
}
