package dev.trainyard.cli.job;

import dev.trainyard.cli.api.Api;
import java.io.IOException;

/** Finds the start of the last lines of a log by reading it backwards. */
final class LogTail {
  private static final long FIRST_LOOK = 64 << 10;
  private static final long LONGEST_LOOK = 64L << 20;

  private final Api api;
  private final String path;

  LogTail(Api api, String path) {
    this.api = api;
    this.path = path + (path.contains("?") ? "&" : "?");
  }

  long startOfLast(int lines) throws IOException {
    for (long look = FIRST_LOOK; ; look *= 8) {
      try (Api.Stream end = api.open(path + "offset=-" + look, LogCopy.SILENCE_MILLIS)) {
        byte[] bytes = end.bytes().readAllBytes();
        int start = startOfLast(lines, bytes);
        if (start >= 0 || end.offset() == 0 || look >= LONGEST_LOOK) {
          return end.offset() + Math.max(0, start);
        }
      }
    }
  }

  /** Returns the start of the last lines, or -1 if there are fewer. */
  static int startOfLast(int lines, byte[] bytes) {
    int seen = 0;
    // A line feed at the end terminates the last line and does not start another one.
    for (int i = bytes.length - 2; i >= 0; i--) {
      if (bytes[i] == '\n' && ++seen == lines) {
        return i + 1;
      }
    }
    return lines == 0 ? bytes.length : -1;
  }
}
