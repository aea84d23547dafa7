package dev.trainyard.server.image;

import java.util.Locale;

/** Formats sizes in human-readable units. */
final class ByteFormat {
  private static final long THOUSAND = 1_000;

  private ByteFormat() {}

  static String of(long bytes) {
    if (bytes < THOUSAND * THOUSAND) {
      return bytes / THOUSAND + " KB";
    }
    double megabytes = bytes / 1e6;
    return megabytes < THOUSAND
        ? String.format(Locale.ROOT, "%.0f MB", megabytes)
        : String.format(Locale.ROOT, "%.1f GB", megabytes / THOUSAND);
  }
}
