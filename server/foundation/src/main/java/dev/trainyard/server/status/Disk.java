package dev.trainyard.server.status;

import dev.trainyard.engine.linux.Inodes;
import dev.trainyard.server.config.DiskThreshold;

/**
 * Size and free space of a file system that the server writes to, at the time of the last check.
 *
 * @param inodes maximum number of files on the file system; 0 if it is not fixed
 */
public record Disk(String path, long total, long free, long inodes, long freeInodes, Level level) {
  private static final int LOW_INODES_PERCENT = 5;
  private static final int CRITICAL_INODES_PERCENT = 1;

  /** Severity of low disk space. */
  public enum Level {
    OK(0),
    LOW(1),
    CRITICAL(2);

    private final int number;

    Level(int number) {
      this.number = number;
    }

    /** Returns the value used in metrics. */
    int number() {
      return number;
    }
  }

  static Disk of(
      String path,
      long total,
      long free,
      Inodes inodes,
      DiskThreshold low,
      DiskThreshold critical) {
    Level spaceLevel =
        critical.isLow(free, total)
            ? Level.CRITICAL
            : low.isLow(free, total) ? Level.LOW : Level.OK;
    Level inodesLevel = level(inodes.total(), inodes.free());
    return new Disk(
        path,
        total,
        free,
        inodes.total(),
        inodes.free(),
        spaceLevel.compareTo(inodesLevel) >= 0 ? spaceLevel : inodesLevel);
  }

  private static Level level(long inodes, long free) {
    if (inodes == 0) {
      return Level.OK;
    }
    if (free < inodes / 100.0 * CRITICAL_INODES_PERCENT) {
      return Level.CRITICAL;
    }
    return free < inodes / 100.0 * LOW_INODES_PERCENT ? Level.LOW : Level.OK;
  }

  /** Returns whether the level is due to the number of free inodes. */
  boolean lacksInodes() {
    return level != Level.OK && level(inodes, freeInodes) == level;
  }
}
