package dev.trainyard.server.status;

import dev.trainyard.server.config.DiskThreshold;

/** How much room there was where the server writes, when it was last looked at. */
public record Disk(String path, long total, long free, Level level) {
  /** How worrying that is. */
  public enum Level {
    OK(0),
    LOW(1),
    CRITICAL(2);

    private final int number;

    Level(int number) {
      this.number = number;
    }

    /** For metrics. */
    int number() {
      return number;
    }
  }

  static Disk of(String path, long total, long free, DiskThreshold low, DiskThreshold critical) {
    Level level =
        critical.isUndercut(free, total)
            ? Level.CRITICAL
            : low.isUndercut(free, total) ? Level.LOW : Level.OK;
    return new Disk(path, total, free, level);
  }
}
