package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.DirectoryEntries;
import dev.trainyard.engine.linux.FileHandle;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names of files that an upload has not finished yet. Lists and archives omit them, and no path may
 * contain one.
 */
public final class StagingName {
  private static final Logger LOG = LoggerFactory.getLogger(StagingName.class);
  private static final String PREFIX = ".trainyard-upload-";
  private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "[0-9a-f]{16}");

  /** Age after which the upload of a file cannot be running any more. */
  private static final Duration MAX_AGE = Duration.ofDays(1);

  private StagingName() {}

  /** Returns a new name, which other users cannot guess. */
  static String next() {
    return PREFIX + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }

  public static boolean isStaging(String name) {
    return name.startsWith(PREFIX);
  }

  /**
   * Deletes a file that an upload left because the server was killed. Keeps a file that an upload
   * has written to within the last day, and any other entry of this name. Does nothing if the file
   * cannot be deleted, because it is hidden anyway.
   */
  static void deleteAbandoned(FileHandle directory, String name, InstantSource clock) {
    if (!NAME.matcher(name).matches()) {
      return;
    }
    try {
      Optional<FileHandle> entry = directory.findEntry(name);
      if (entry.isEmpty()) {
        return;
      }
      try (FileHandle file = entry.get()) {
        Instant modified = file.attributes().modified().toInstant();
        if (file.attributes().kind() == FileHandle.Kind.FILE
            && modified.isBefore(clock.instant().minus(MAX_AGE))) {
          DirectoryEntries.deleteFile(directory, name);
        }
      }
    } catch (IOException e) {
      LOG.debug("failed to delete the abandoned upload {}", name, e);
    }
  }
}
