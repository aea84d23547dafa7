package dev.trainyard.cli.job;

import dev.trainyard.cli.api.ApiClient;
import java.io.IOException;

/** Finds the start of the last lines of a log by reading it backwards. */
final class LogTail {
  private static final long INITIAL_SIZE = 64 << 10;
  private static final long MAX_SIZE = 64L << 20;

  private final ApiClient api;
  private final String path;

  LogTail(ApiClient api, String path) {
    this.api = api;
    this.path = path + (path.contains("?") ? "&" : "?");
  }

  long startOfLast(int lines) throws IOException {
    for (long size = INITIAL_SIZE; ; size *= 8) {
      try (ApiClient.Stream stream =
          api.open(path + "offset=-" + size, LogCopy.READ_TIMEOUT_MILLIS)) {
        byte[] bytes = stream.bytes().readAllBytes();
        int start = startOfLast(lines, bytes);
        if (start >= 0 || stream.offset() == 0 || size >= MAX_SIZE) {
          return stream.offset() + Math.max(0, start);
        }
      }
    }
  }

  /** Returns the start of the last lines, or -1 if there are fewer. */
  static int startOfLast(int lines, byte[] bytes) {
    int lineFeeds = 0;
    // A line feed at the end terminates the last line and does not start another one.
    for (int i = bytes.length - 2; i >= 0; i--) {
      if (bytes[i] == '\n' && ++lineFeeds == lines) {
        return i + 1;
      }
    }
    return lines == 0 ? bytes.length : -1;
  }
}
