package dev.trainyard.server.config;

import dev.trainyard.model.Message;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/**
 * The password of the database, which is either in the URL or in a file that only the account of
 * the server can read.
 */
public final class DatabasePassword {
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private static final Set<PosixFilePermission> ENTER =
      EnumSet.of(PosixFilePermission.GROUP_EXECUTE, PosixFilePermission.OTHERS_EXECUTE);

  private DatabasePassword() {}

  /** Returns whether a database URL, or an option that contains such a URL, includes a password. */
  public static boolean isIn(String text) {
    return !mask(text).equals(text);
  }

  /** Masks the passwords in database URLs, both in a parameter and before the host name. */
  public static String mask(String text) {
    return text.replaceAll("(?i)((?:password|passwd|pwd|secret|token)[^=&;]*=)[^&;]*", "$1******")
        .replaceAll("(//[^/@:]*:)[^/@]*@", "$1******@");
  }

  /** Returns whether accounts other than the owner can read or change the file. */
  public static boolean isOpenToOthers(Path file) {
    try {
      Set<PosixFilePermission> mode = Files.getPosixFilePermissions(file);
      return mode.stream().anyMatch(OTHERS::contains);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns whether other accounts can read or change a settings file. This is the case if the mode
   * of the file permits it and other accounts can enter its directory. Only the owner can enter the
   * data directory.
   */
  static boolean isSettingsFileOpen(Path file) {
    try {
      return isOpenToOthers(file)
          && Files.getPosixFilePermissions(file.toAbsolutePath().getParent()).stream()
              .anyMatch(ENTER::contains);
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Returns the URL with the password from the file.
   *
   * @throws UnusableException if the file cannot be used, the URL already contains a password, or
   *     the database is not PostgreSQL
   */
  static String addTo(String url, Path file) throws UnusableException {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new UnusableException(Message.of("config.db-password-postgres"));
    }
    if (isIn(url)) {
      throw new UnusableException(Message.of("config.db-password-twice"));
    }
    if (!Files.exists(file)) {
      throw new UnusableException(Message.of("config.file-missing", "file", file.toString()));
    }
    // Reading a named pipe would block until another process writes to it.
    if (!Files.isRegularFile(file)) {
      throw new UnusableException(
          Message.of("config.db-password-not-file", "file", file.toString()));
    }
    if (isOpenToOthers(file)) {
      throw new UnusableException(Message.of("config.db-password-open", "file", file.toString()));
    }
    try {
      String password = Files.readString(file).strip();
      if (password.isEmpty()) {
        throw new UnusableException(
            Message.of("config.db-password-empty", "file", file.toString()));
      }
      return url
          + (url.contains("?") ? "&" : "?")
          + "password="
          + URLEncoder.encode(password, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UnusableException(Message.of("config.file-missing", "file", file.toString()));
    }
  }

  /** Thrown if the password file cannot be used with the database URL. */
  static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Message reason;

    UnusableException(Message reason) {
      super(reason.english());
      this.reason = reason;
    }

    Message reason() {
      return reason;
    }
  }
}
