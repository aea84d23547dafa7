package dev.trainyard.engine;

import java.util.Locale;
import java.util.Optional;

/** The two output streams of a task. */
public enum LogStream {
  STDOUT,
  STDERR;

  /** Allows for the truncation notice and the end of the output, which engines add to the limit. */
  private static final long NOTICE_AND_END = (1 << 20) + 512;

  /**
   * Returns the maximum length of a log file that only the engine writes to.
   *
   * @param limit number of bytes that are kept of the beginning of the output
   */
  public static long longest(long limit) {
    return limit > Long.MAX_VALUE - NOTICE_AND_END ? Long.MAX_VALUE : limit + NOTICE_AND_END;
  }

  public String fileName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<LogStream> find(String name) {
    for (LogStream stream : values()) {
      if (stream.fileName().equals(name)) {
        return Optional.of(stream);
      }
    }
    return Optional.empty();
  }
}
