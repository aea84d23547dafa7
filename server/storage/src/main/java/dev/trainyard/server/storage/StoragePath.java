package dev.trainyard.server.storage;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The path of a file in a storage, as named by a user: relative, without "." and "..".
 *
 * @param names the names from the root of the storage; empty for the root itself
 */
public record StoragePath(List<String> names) {
  private static final int MAX_NAME_BYTES = 255;

  /** Maximum length of a path in Linux, with a byte for its end. */
  private static final int MAX_PATH_BYTES = 4_095;

  public StoragePath {
    names = List.copyOf(names);
  }

  /**
   * @param text may end with a slash; empty for the root
   */
  public static StoragePath parse(String text) {
    String path = text.endsWith("/") && text.length() > 1 ? chopSlash(text) : text;
    if (path.isEmpty()) {
      return new StoragePath(List.of());
    }
    if (path.getBytes(StandardCharsets.UTF_8).length > MAX_PATH_BYTES) {
      throw invalid("error.storage-path-long", path.substring(0, MAX_NAME_BYTES));
    }
    List<String> names = List.of(path.split("/", -1));
    for (String name : names) {
      if (name.isEmpty()
          || name.equals(".")
          || name.equals("..")
          || name.indexOf('\0') >= 0
          || StagingName.isStaging(name)
          || !StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
        throw invalid("error.storage-path", path);
      }
      if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
        throw invalid("error.storage-path-long", path);
      }
    }
    return new StoragePath(names);
  }

  private static String chopSlash(String text) {
    return text.substring(0, text.length() - 1);
  }

  private static AppException invalid(String code, String path) {
    return new AppException(ErrorCode.BAD_REQUEST, Message.of(code, "path", path));
  }

  public boolean isRoot() {
    return names.isEmpty();
  }

  /** Returns the last name; the path must not be the root. */
  public String name() {
    return names.getLast();
  }

  /** Returns the directory that contains the file; the path must not be the root. */
  public StoragePath parent() {
    return first(names.size() - 1);
  }

  /** Returns the path of the first names. */
  StoragePath first(int count) {
    return new StoragePath(names.subList(0, count));
  }

  /** Returns whether this path is the other one or below it. */
  boolean startsWith(StoragePath other) {
    return names.size() >= other.names.size()
        && names.subList(0, other.names.size()).equals(other.names);
  }

  @Override
  public String toString() {
    return String.join("/", names);
  }
}
