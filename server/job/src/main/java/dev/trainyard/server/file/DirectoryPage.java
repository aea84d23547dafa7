package dev.trainyard.server.file;

import dev.trainyard.server.backup.RawName;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A page of a directory, sorted by name. Regardless of the number of files, only the entries of the
 * page are in memory.
 *
 * @param next the bytes of the last name, as Latin-1; empty on the last page
 */
record DirectoryPage(List<Entry> entries, Optional<String> next) {
  private static final int CHECK_INTERVAL = 1000;

  /**
   * @param text whether the name is valid UTF-8; Linux permits any bytes, and invalid ones are
   *     replaced in {@code name}
   */
  record Entry(String name, boolean text, FileHandle.Facts facts) {}

  /**
   * @param after the bytes of the name, as Latin-1, after which the page begins; empty for the
   *     first page
   */
  static DirectoryPage read(FileHandle directory, String after, int limit) throws IOException {
    TreeMap<String, Path> smallest = new TreeMap<>();
    try (DirectoryStream<Path> listed = Files.newDirectoryStream(directory.path())) {
      int seen = 0;
      for (Path child : listed) {
        if (++seen % CHECK_INTERVAL == 0) {
          Requester.requireCurrent();
        }
        String name = RawName.of(child.getFileName());
        boolean full = smallest.size() > limit;
        if (name.compareTo(after) > 0 && !(full && name.compareTo(smallest.lastKey()) > 0)) {
          smallest.put(name, child);
          if (smallest.size() > limit + 1) {
            smallest.pollLastEntry();
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    boolean more = smallest.size() > limit;
    if (more) {
      smallest.pollLastEntry();
    }
    List<Entry> entries = new ArrayList<>();
    for (var child : smallest.entrySet()) {
      entry(child.getKey(), child.getValue()).ifPresent(entries::add);
    }
    return new DirectoryPage(entries, more ? Optional.of(smallest.lastKey()) : Optional.empty());
  }

  /** Returns empty for a file that was deleted in the meantime. */
  private static Optional<Entry> entry(String raw, Path path) {
    try {
      FileHandle.Facts facts = FileHandle.facts(path, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(new Entry(text(raw), isText(raw), facts));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Decodes a name as UTF-8; invalid bytes become the replacement character. */
  static String text(String raw) {
    return new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean isText(String raw) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(raw.getBytes(StandardCharsets.ISO_8859_1));
      StandardCharsets.UTF_8.newDecoder().decode(bytes);
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
