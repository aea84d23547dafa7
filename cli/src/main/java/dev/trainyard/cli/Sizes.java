package dev.trainyard.cli;

import java.util.Locale;

/** Formats sizes in bytes. */
public final class Sizes {
  private static final double THOUSAND = 1000;

  private Sizes() {}

  public static String of(long bytes) {
    double megabytes = bytes / THOUSAND / THOUSAND;
    return megabytes < THOUSAND
        ? String.format(Locale.ROOT, "%.1f MB", megabytes)
        : String.format(Locale.ROOT, "%.1f GB", megabytes / THOUSAND);
  }
}
