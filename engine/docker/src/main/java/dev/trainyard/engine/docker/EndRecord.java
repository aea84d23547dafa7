package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.TaskWrittenFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record that a container's first process wrote when it ended. The task could have forged it,
 * so it is used only to determine how the task itself ended.
 *
 * @param signal signal that ended the script, or 0
 * @param outOfMemory whether the kernel killed a process because of the task's memory limit
 * @param diskFull whether a file system that the task writes to was full when the task ended
 * @param endedFromOutside whether the end was requested from outside the container
 * @param noShell whether the image has no shell
 */
record EndRecord(
    int code,
    int signal,
    boolean outOfMemory,
    boolean diskFull,
    boolean endedFromOutside,
    boolean noShell) {
  static final int MAX_BYTES = 200;

  private static final Logger LOG = LoggerFactory.getLogger(EndRecord.class);
  private static final Pattern LINE =
      Pattern.compile(
          "code=(\\d{1,3}) signal=(\\d{1,2}) oom=(\\d{1,18}) full=([01]) outside=([01])"
              + "( noshell=1)? \\.\n.*",
          Pattern.DOTALL);

  /**
   * Reads the record; empty if it is missing, incomplete or malformed, or if it cannot be read, for
   * example because the task has removed all permissions or holds a lease on the file.
   */
  static Optional<EndRecord> read(Path file) {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try (InputStream in =
        Channels.newInputStream(TaskWrittenFile.openForReading(file, LinkOption.NOFOLLOW_LINKS))) {
      return parse(new String(in.readNBytes(MAX_BYTES), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      LOG.debug("failed to read {}", file, e);
      return Optional.empty();
    }
  }

  static Optional<EndRecord> parse(String text) {
    Matcher line = LINE.matcher(text);
    if (!line.matches()) {
      return Optional.empty();
    }
    int code = Integer.parseInt(line.group(1));
    if (code > 255) {
      return Optional.empty();
    }
    return Optional.of(
        new EndRecord(
            code,
            Integer.parseInt(line.group(2)),
            Long.parseLong(line.group(3)) > 0,
            line.group(4).equals("1"),
            line.group(5).equals("1"),
            line.group(6) != null));
  }
}
