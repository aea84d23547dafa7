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
import java.util.function.Consumer;

/**
 * A page of a directory, sorted by name. Only the entries of this page are in memory, even if the
 * directory has many more.
 *
 * @param next bytes of the last name of this page, as Latin-1; the next page begins after this
 *     name; empty on the last page
 */
public record DirectoryPage(List<Entry> entries, Optional<String> next) {
  /** Number of files between two checks whether the client still waits for the response. */
  private static final int CHECK_INTERVAL = 1000;

  /**
   * @param text whether the name is valid UTF-8; Linux permits any bytes, and {@code name} contains
   *     a replacement for invalid bytes
   */
  public record Entry(String name, boolean text, FileHandle.Attributes attributes) {}

  /**
   * @param after bytes of a name, as Latin-1; the page begins after this name; empty for the first
   *     page
   */
  public static DirectoryPage read(FileHandle directory, String after, int limit)
      throws IOException {
    return read(directory, after, limit, _ -> {});
  }

  /**
   * @param stagingNames receives the names of all files of unfinished uploads, which no page
   *     contains
   */
  static DirectoryPage read(
      FileHandle directory, String after, int limit, Consumer<String> stagingNames)
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
          stagingNames.accept(name);
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

  /** Returns the entry of a file; empty if the file was deleted in the meantime. */
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
