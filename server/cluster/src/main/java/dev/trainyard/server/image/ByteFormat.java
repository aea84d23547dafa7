package dev.trainyard.server.image;

import java.util.Locale;

/** Formats sizes in human-readable units. */
final class ByteFormat {
  private static final long KIBI = 1024;

  private ByteFormat() {}

  static String of(long bytes) {
    if (bytes < KIBI * KIBI) {
      return bytes / KIBI + " KiB";
    }
    double mebibytes = (double) bytes / KIBI / KIBI;
    return mebibytes < KIBI
        ? String.format(Locale.ROOT, "%.0f MiB", mebibytes)
        : String.format(Locale.ROOT, "%.1f GiB", mebibytes / KIBI);
  }
}
