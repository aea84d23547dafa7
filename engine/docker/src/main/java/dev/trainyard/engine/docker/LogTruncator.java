package dev.trainyard.engine.docker;

import dev.trainyard.engine.LogStream;
import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.LinuxException;
import dev.trainyard.engine.linux.TaskWrittenFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncates the logs of an ended task to the maximum that its first process would have written: the
 * files are mounted in the container, so the task may have made them arbitrarily long.
 */
final class LogTruncator {
  private static final Logger LOG = LoggerFactory.getLogger(LogTruncator.class);

  private LogTruncator() {}

  /**
   * Truncates the logs; logs a failure, which must not prevent the end of the task from being
   * reported.
   */
  static void truncate(TaskSpec spec) {
    truncate(spec.logDirectory(), spec.logLimit().bytes());
  }

  static void truncate(Path directory, long limit) {
    long maxBytes = LogStream.maxFileBytes(limit);
    for (LogStream stream : LogStream.values()) {
      Path file = directory.resolve(stream.fileName());
      try {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.size(file) > maxBytes) {
          truncateFile(file, maxBytes);
        }
      } catch (IOException e) {
        LOG.warn("failed to truncate {} to its limit", file, e);
      }
    }
  }

  private static void truncateFile(Path file, long maxBytes) throws IOException {
    // The task may have removed the owner's permissions.
    Linux.changeMode(file.toString(), 0666);
    try (FileChannel log = TaskWrittenFile.openForWriting(file, LinkOption.NOFOLLOW_LINKS)) {
      log.truncate(maxBytes);
    } catch (LinuxException e) {
      if (!e.isLeased()) {
        throw e;
      }
      // Another task of the user has received a descriptor of the file and holds a lease on it.
      Thread.ofPlatform()
          .daemon()
          .name("truncate")
          .start(() -> truncateWhenRevoked(file, maxBytes));
    }
  }

  /** Waits until the kernel has revoked the lease, which takes 45 seconds by default. */
  private static void truncateWhenRevoked(Path file, long maxBytes) {
    try (FileChannel log =
        FileChannel.open(file, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS))) {
      log.truncate(maxBytes);
    } catch (IOException e) {
      LOG.warn("failed to truncate {} to its limit", file, e);
    }
  }
}
