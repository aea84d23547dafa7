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
  private static final int MIN_SHARED_LENGTH = 16 * 1024;

  /** The most recently written long file, by name. */
  private final Map<String, StoredText> latestByName = new ConcurrentHashMap<>();

  private record StoredText(String text, Path file) {}

  public void write(Path directory, String name, String text) throws IOException {
    StoredText storedText = latestByName.get(name);
    if (storedText == null
        || !storedText.text().equals(text)
        || !link(directory.resolve(name), storedText)) {
      Path path = directory.resolve(name);
      latestByName.computeIfPresent(name, (_, old) -> old.file().equals(path) ? null : old);
      // An earlier attempt may have left the file, as a link that other tasks share.
      Files.deleteIfExists(path);
      PlatformFiles.write(directory, name, text);
      if (text.length() >= MIN_SHARED_LENGTH) {
        latestByName.put(name, new StoredText(text, path));
      }
    }
  }

  /**
   * Creates a link; returns false if that is not possible, for example because the task with the
   * linked file was removed.
   */
  private static boolean link(Path path, StoredText storedText) {
    try {
      Files.deleteIfExists(path); // An earlier attempt may have left the file.
      Files.createLink(path, storedText.file());
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
