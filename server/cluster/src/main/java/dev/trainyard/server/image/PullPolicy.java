package dev.trainyard.server.image;

import java.util.Locale;

/** When an image is pulled that the machine may have. */
public enum PullPolicy {
  IF_NOT_PRESENT,
  ALWAYS,
  NEVER;

  /** As the setting {@code image-pull} says it. */
  public static PullPolicy of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
