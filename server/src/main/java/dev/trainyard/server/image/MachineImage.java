package dev.trainyard.server.image;

import java.time.Instant;

/**
 * What the platform knows of an image on the machine.
 *
 * @param reference completed
 * @param restricted whether only its readers may use it
 * @param maker the id of the user who made it, or empty
 */
record MachineImage(
    String reference,
    String imageId,
    Origin origin,
    boolean restricted,
    String maker,
    Instant used) {

  /** How it came to be there. The names are stored. */
  enum Origin {
    /** Somebody else put it there, or it was there before us: never to be cleaned away. */
    FOUND,
    PULLED,
    /** From a task: there may be no other copy of it. */
    MADE
  }
}
