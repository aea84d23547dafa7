package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.FileHandle;
import dev.trainyard.engine.linux.RawName;
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
 * @param next the last name of this page, after which the next page begins: its bytes, as Latin-1;
 *     empty on the last page
 */
public record DirectoryPage(List<Entry> entries, Optional<String> next) {
  /** Number of files between two checks whether the client still waits for the response. */
  private static final int CHECK_INTERVAL = 1000;

  /**
   * @param text whether the name is valid UTF-8; Linux permits any bytes, and invalid ones are
   *     replaced in {@code name}
   */
  public record Entry(String name, boolean text, FileHandle.Attributes facts) {}

  /**
   * @param after the bytes of the name, as Latin-1, after which the page begins; empty for the
   *     first page
   */
  public static DirectoryPage read(FileHandle directory, String after, int limit)
      throws IOException {
    TreeMap<String, Path> smallestNames = new TreeMap<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(directory.path())) {
      int childCount = 0;
      for (Path child : children) {
        if (++childCount % CHECK_INTERVAL == 0) {
          Requester.requireCurrent();
        }
        String name = RawName.of(child.getFileName());
        if (StagingName.isStaging(name)) {
          continue;
        }
        boolean full = smallestNames.size() > limit;
        if (name.compareTo(after) > 0 && !(full && name.compareTo(smallestNames.lastKey()) > 0)) {
          smallestNames.put(name, child);
          if (smallestNames.size() > limit + 1) {
            smallestNames.pollLastEntry();
          }
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    boolean hasMore = smallestNames.size() > limit;
    if (hasMore) {
      smallestNames.pollLastEntry();
    }
    List<Entry> entries = new ArrayList<>();
    for (var child : smallestNames.entrySet()) {
      entry(child.getKey(), child.getValue()).ifPresent(entries::add);
    }
    return new DirectoryPage(
        entries, hasMore ? Optional.of(smallestNames.lastKey()) : Optional.empty());
  }

  /** Returns empty for a file that was deleted in the meantime. */
  private static Optional<Entry> entry(String rawName, Path path) {
    try {
      FileHandle.Attributes attributes = FileHandle.attributes(path, LinkOption.NOFOLLOW_LINKS);
      return Optional.of(new Entry(decode(rawName), isValidUtf8(rawName), attributes));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Decodes a name as UTF-8; invalid bytes become the replacement character. */
  public static String decode(String rawName) {
    return new String(rawName.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean isValidUtf8(String rawName) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(rawName.getBytes(StandardCharsets.ISO_8859_1));
      StandardCharsets.UTF_8.newDecoder().decode(bytes);
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
