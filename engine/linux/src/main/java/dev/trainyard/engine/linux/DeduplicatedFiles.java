package dev.trainyard.engine.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Writes files of the platform's directory. What is long and the same for many tasks of a job lies
 * on the disk once: each further file is a link to the one before, and the last one that is deleted
 * takes it away. Tasks can't write there. Thread-safe.
 */
public final class DeduplicatedFiles {
  private static final int LONG = 16 * 1024;

  /** The newest of each name. */
  private final Map<String, Known> latest = new ConcurrentHashMap<>();

  private record Known(String text, Path file) {}

  public void write(Path directory, String name, String text) throws IOException {
    Known known = latest.get(name);
    if (known == null || !known.text().equals(text) || !link(directory.resolve(name), known)) {
      Path place = directory.resolve(name);
      latest.computeIfPresent(name, (_, old) -> old.file().equals(place) ? null : old);
      Files.deleteIfExists(place); // of an earlier try: other tasks may have that very file
      PlatformFiles.write(directory, name, text);
      if (text.length() >= LONG) {
        latest.put(name, new Known(text, place));
      }
    }
  }

  /** False if that can't be done, as when the task that had the file is gone. */
  private static boolean link(Path place, Known known) {
    try {
      Files.deleteIfExists(place); // of an earlier try
      Files.createLink(place, known.file());
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
