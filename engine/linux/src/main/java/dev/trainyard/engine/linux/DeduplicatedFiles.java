package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes the platform's files of tasks. A long text that many tasks of a job share is stored on
 * disk once: each further file is a hard link to the previous one, so the text is freed when the
 * last link is deleted. Tasks cannot write to these files. Thread-safe.
 */
public final class DeduplicatedFiles {
  private static final int LONG = 16 * 1024;

  /** The most recent long file by name. */
  private final Map<String, Known> latest = new ConcurrentHashMap<>();

  private record Known(String text, Path file) {}

  public void write(Path directory, String name, String text) throws IOException {
    Known known = latest.get(name);
    if (known == null || !known.text().equals(text) || !link(directory.resolve(name), known)) {
      Path place = directory.resolve(name);
      latest.computeIfPresent(name, (_, old) -> old.file().equals(place) ? null : old);
      // left by an earlier attempt; it may be a link that other tasks share
      Files.deleteIfExists(place);
      PlatformFiles.write(directory, name, text);
      if (text.length() >= LONG) {
        latest.put(name, new Known(text, place));
      }
    }
  }

  /**
   * Returns false if the link cannot be created, for example because the task that had the file is
   * gone.
   */
  private static boolean link(Path place, Known known) {
    try {
      Files.deleteIfExists(place); // left by an earlier attempt
      Files.createLink(place, known.file());
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
