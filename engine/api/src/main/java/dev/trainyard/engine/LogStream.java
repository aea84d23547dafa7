package dev.trainyard.engine;

import java.util.Locale;
import java.util.Optional;

/** The two output streams of a task. */
public enum LogStream {
  STDOUT,
  STDERR;

  /**
   * Maximum size of the truncation notice and the last bytes together. If an output exceeds the
   * limit, its middle is dropped: the log contains the first bytes up to the limit, the notice and
   * the last bytes.
   */
  private static final long MAX_ADDED_BYTES = (1 << 20) + 512;

  /**
   * Returns the maximum length of a log file that only the engine writes to.
   *
   * @param limit maximum number of bytes that are kept of the beginning of the output
   */
  public static long maxFileBytes(long limit) {
    return limit > Long.MAX_VALUE - MAX_ADDED_BYTES ? Long.MAX_VALUE : limit + MAX_ADDED_BYTES;
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
