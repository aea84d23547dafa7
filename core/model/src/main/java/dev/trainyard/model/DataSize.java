package dev.trainyard.model;

import java.util.List;
import java.util.Locale;

/** An amount of memory or disk space. A megabyte is 1,048,576 bytes, as in job files. */
public record DataSize(long bytes) implements Comparable<DataSize> {
  public static final DataSize ZERO = new DataSize(0);
  private static final long MEGABYTE = 1L << 20;
  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

  public DataSize {
    if (bytes < 0) {
      throw new IllegalArgumentException("negative size: " + bytes);
    }
  }

  public static DataSize ofMegabytes(long megabytes) {
    return new DataSize(Math.multiplyExact(megabytes, MEGABYTE));
  }

  public long megabytes() {
    return bytes / MEGABYTE;
  }

  /**
   * Formats a size in the largest unit, up to TiB, in which its value is at least 1: "512 MiB",
   * "31.4 GiB", "1.5 TiB". Both languages write sizes in this way.
   */
  public static String text(long bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 1024 && unit < UNITS.size() - 1) {
      value /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", value);
    return (number.endsWith(".0") ? number.substring(0, number.length() - 2) : number)
        + " "
        + UNITS.get(unit);
  }

  /** Like {@link #text}, but never in a smaller unit than MiB. */
  public static String textOfMegabytes(long megabytes) {
    return megabytes == 0 ? "0 MiB" : text(megabytes * MEGABYTE);
  }

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }
}
