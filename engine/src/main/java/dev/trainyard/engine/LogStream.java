package dev.trainyard.engine;

import java.util.Locale;
import java.util.Optional;

/** The two streams of a task. */
public enum LogStream {
  STDOUT,
  STDERR;

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
