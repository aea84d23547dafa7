package dev.trainyard.engine;

import java.util.Locale;
import java.util.Optional;

/** The two streams of a task. */
public enum LogStream {
  STDOUT,
  STDERR;

  /** Engines add a notice and the end of the output to what the limit lets through. */
  private static final long NOTICE_AND_END = (1 << 20) + 512;

  /**
   * How long a file of a stream may become that only its engine writes to.
   *
   * @param limit of what is kept of its beginning, in bytes
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
