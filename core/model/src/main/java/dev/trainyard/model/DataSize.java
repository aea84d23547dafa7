package dev.trainyard.model;

/** An amount of memory or disk space. A megabyte is 1,048,576 bytes, as in job files. */
public record DataSize(long bytes) implements Comparable<DataSize> {
  public static final DataSize ZERO = new DataSize(0);
  private static final long MEGABYTE = 1L << 20;

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

  @Override
  public int compareTo(DataSize other) {
    return Long.compare(bytes, other.bytes);
  }
}
