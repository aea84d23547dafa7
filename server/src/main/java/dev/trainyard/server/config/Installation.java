package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** The ID that a data directory and its PostgreSQL database have in common. */
public record Installation(DataDirectory directory) {
  private static final String FILE = "installation";

  /**
   * Makes sure that the directory belongs to a database, and gives it the database's ID if it has
   * none yet.
   *
   * @param known the database's ID; empty for a new database, which gets that of the directory
   * @return the ID of both
   */
  public String settle(String known) {
    String own = read();
    if (own.isEmpty()) {
      String id = known.isEmpty() ? UUID.randomUUID().toString() : known;
      directory.writeDurably(FILE, id + "\n");
      return id;
    }
    if (!known.isEmpty()) {
      require(known);
    }
    return own;
  }

  /** Refuses a directory of another installation. */
  public void require(String known) {
    String own = read();
    if (!own.equals(known)) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("config.other-installation", "path", directory.path().toString())
              .with("own", own.isEmpty() ? "-" : own)
              .with("other", known));
    }
  }

  private String read() {
    try {
      Path file = directory.resolve(FILE);
      return Files.exists(file) ? Files.readString(file).strip() : "";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Differs for every data directory, also for a copy of one. */
  public String place() {
    try {
      return host()
          + " "
          + Files.getAttribute(directory.path(), "unix:dev")
          + ":"
          + Files.getAttribute(directory.path(), "unix:ino");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Names this process for people. */
  public String holder() {
    return "process "
        + ProcessHandle.current().pid()
        + " on "
        + host()
        + " with the data directory "
        + directory.path();
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
