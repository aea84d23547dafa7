package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rejects a directory that {@code --data} names by mistake, which contains the files of other
 * programs. The check changes nothing, so it runs before the server locks the directory, changes
 * its mode or rolls back a restore in it.
 */
public final class ForeignDirectoryCheck {
  private static final String LOCK = "lock";
  private static final String RESTORING = "restoring";
  private static final int MAX_LOCK_SIZE = 4096;

  /**
   * Text of a lock file. After a crash of the host, the file may consist of bytes with the value
   * zero.
   */
  private static final Pattern LOCK_TEXT = Pattern.compile("[\\s\0]*|pid \\d+\\b[^\0]*");

  /** Text that remains in the lock file if its process ended without closing it. */
  private static final Pattern CRASHED_LOCK_TEXT = Pattern.compile("pid \\d+\\b[^\0]*");

  /** Files that a directory without a database may contain. */
  private static final Pattern KNOWN_FILES =
      Pattern.compile(
          "(trainyard\\.conf(\\.restored)?|secret-keys|trainyard\\.db\\.lock|server\\.log.*"
              + "|server(-proof)?\\.json|local-token|admin-password|installation)(\\.new)?");

  private final Path path;
  private final Settings settings;

  private ForeignDirectoryCheck(Path path, Settings settings) {
    this.path = path;
    this.settings = settings;
  }

  /**
   * @throws AppException if the directory contains files of other programs and no file that
   *     identifies it as a data directory
   */
  public static void require(DataDirectory directory, Settings settings) {
    require(directory.path(), settings);
  }

  /**
   * Like {@link #require(DataDirectory, Settings)}, but accepts a directory that does not exist.
   */
  public static void require(Path directory, Settings settings) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try {
      Optional<String> foreign = new ForeignDirectoryCheck(directory, settings).findForeign();
      if (foreign.isPresent()) {
        throw conflict(
            Message.of("config.data-other-files", "path", directory.toString())
                .with("found", foreign.get()));
      }
    } catch (IOException e) {
      throw conflict(
          Message.of("config.data-unusable", "path", directory.toString())
              .with("detail", e.toString()));
    }
  }

  private Optional<String> findForeign() throws IOException {
    Optional<String> foreign = Optional.empty();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        if (identifiesServer(entry)) {
          return Optional.empty();
        }
        if (foreign.isEmpty() && !isExpected(entry)) {
          foreign = Optional.of(entry.getFileName().toString());
        }
      }
    }
    return foreign;
  }

  private boolean identifiesServer(Path entry) throws IOException {
    String name = entry.getFileName().toString();
    if (name.equals(RESTORING)) {
      return Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)
          && (Files.exists(entry.resolve("complete"))
              || Files.exists(entry.resolve("trainyard.db"))
              || CRASHED_LOCK_TEXT.matcher(lockText()).matches());
    }
    return DataDirectory.USED_FILES.matcher(name).matches()
        && Files.isRegularFile(entry)
        && Files.size(entry) > 0;
  }

  private boolean isExpected(Path entry) throws IOException {
    String name = entry.getFileName().toString();
    if (Files.isDirectory(entry)) {
      return DataDirectory.PREPARED_DIRECTORIES.contains(name)
          || DataDirectory.isEmpty(entry)
          || (!isDatabaseHere() && RealDirectories.CREATED_BY_SERVER.contains(name));
    }
    if (name.equals(LOCK)) {
      return LOCK_TEXT.matcher(lockText()).matches();
    }
    return KNOWN_FILES.matcher(name).matches()
        || (Files.isRegularFile(entry) && Files.size(entry) == 0)
        || isDatabase(entry)
        || isNamedBySetting(entry);
  }

  private boolean isDatabase(Path file) {
    String url = "jdbc:sqlite:" + file.toString().replaceFirst("-(wal|shm|journal)$", "");
    return settings.value(Settings.DB).split("\\?", 2)[0].equals(url);
  }

  /**
   * Returns whether the settings place the database in the directory. In that case, a directory
   * without the database contains no data of a server.
   */
  private boolean isDatabaseHere() {
    return settings.value(Settings.DB).isEmpty();
  }

  /** Returns whether a setting names the file, for example the file of a password. */
  private boolean isNamedBySetting(Path file) {
    return Settings.ALL.stream()
        .map(setting -> settings.value(setting))
        .map(value -> value instanceof Optional<?> optional ? optional.orElse(null) : value)
        .anyMatch(value -> value instanceof Path named && isSameFile(named, file));
  }

  private static boolean isSameFile(Path named, Path file) {
    try {
      return Files.isSameFile(named, file);
    } catch (IOException e) {
      return false;
    }
  }

  private String lockText() throws IOException {
    Path lock = path.resolve(LOCK);
    return Files.isRegularFile(lock) && Files.size(lock) <= MAX_LOCK_SIZE
        ? Files.readString(lock, StandardCharsets.ISO_8859_1)
        : "\0x";
  }

  private static AppException conflict(Message message) {
    return new AppException(ErrorCode.CONFLICT, message);
  }
}
