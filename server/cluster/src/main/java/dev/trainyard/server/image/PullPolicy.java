package dev.trainyard.server.image;

import java.util.Locale;

/** Policy that decides when an image is pulled. */
public enum PullPolicy {
  IF_NOT_PRESENT,
  ALWAYS,
  NEVER;

  /** Parses the value of the setting {@code image-pull}. */
  public static PullPolicy of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
