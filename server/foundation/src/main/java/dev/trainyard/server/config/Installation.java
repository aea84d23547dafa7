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
   * Returns the ID that directory and database have or will have in common. Writes nothing, because
   * the database may still refuse this server.
   *
   * @param known the database's ID; empty for a new database, which gets that of the directory
   * @throws AppException if the directory belongs to another database
   */
  public String choose(String known) {
    String own = read();
    if (own.isEmpty()) {
      return known.isEmpty() ? UUID.randomUUID().toString() : known;
    }
    if (!known.isEmpty()) {
      require(known);
    }
    return own;
  }

  /** Stores the ID in the directory of a server that leads the database with this ID. */
  public void store(String id) {
    if (read().isEmpty()) {
      directory.writeDurably(FILE, id + "\n");
    }
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

  /**
   * Identifies the data directory on this host. A copy on the same host has another value; a clone
   * of the whole host has the same, and differs by {@link #boot} only.
   */
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

  /** Identifies the kernel that runs now: another one after each boot, and on each clone. */
  public String boot() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  /** Names this process for people. */
  public String holder() {
    return process(ProcessHandle.current().pid())
        + " on "
        + host()
        + " with the data directory "
        + directory.path();
  }

  /** Whether a text of {@link #holder} names a process. */
  public static boolean names(String holder, ProcessHandle process) {
    return holder.contains(process(process.pid()) + " on ");
  }

  private static String process(long pid) {
    return "process " + pid;
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }
}
