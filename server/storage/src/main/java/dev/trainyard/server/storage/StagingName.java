package dev.trainyard.server.storage;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Names of files that an upload has not finished yet. Lists and archives omit them, and no path may
 * contain one.
 */
public final class StagingName {
  private static final String PREFIX = ".trainyard-upload-";

  private StagingName() {}

  /** Returns a new name, which other users cannot guess. */
  static String next() {
    return PREFIX + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  public static boolean isStaging(String name) {
    return name.startsWith(PREFIX);
  }
}
