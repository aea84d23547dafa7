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

/** The ID shared by a data directory and its PostgreSQL database. */
public record Installation(DataDirectory directory) {
  private static final String FILE = "installation";

  /**
   * Returns the ID that the directory and the database will share. Writes nothing, because this
   * server may still fail to acquire the lease of the database.
   *
   * @param storedId the ID of the database; empty for a new database, which gets the ID of the
   *     directory
   * @throws AppException if the directory belongs to another database
   */
  public String choose(String storedId) {
    String ownId = read();
    if (ownId.isEmpty()) {
      return storedId.isEmpty() ? UUID.randomUUID().toString() : storedId;
    }
    if (!storedId.isEmpty()) {
      require(storedId);
    }
    return ownId;
  }

  /** Stores the ID in the directory of a server that leads the database with this ID. */
  public void store(String id) {
    if (read().isEmpty()) {
      directory.writeDurably(FILE, id + "\n");
    }
  }

  /** Returns whether the directory has an ID. */
  public boolean hasId() {
    return !read().isEmpty();
  }

  /**
   * Deletes the ID of the directory before a server that adopts the database stores a new one. If
   * the server process ends in between, the next start finds a directory without an ID, or a
   * database whose lease names this directory.
   */
  public void deleteId() {
    directory.delete(FILE);
  }

  /** Rejects a directory of another installation. */
  public void require(String storedId) {
    String ownId = read();
    if (!ownId.equals(storedId)) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("config.other-installation", "path", directory.path().toString())
              .with("own", ownId.isEmpty() ? "-" : ownId)
              .with("other", storedId));
    }
  }

  private String read() {
    return Files.exists(directory.resolve(FILE)) ? directory.read(FILE).strip() : "";
  }

  /**
   * Identifies the data directory on this host. A copy of the directory on the same host has
   * another value. On a clone of the whole host, the value is the same and only {@link #bootId}
   * differs.
   */
  public String location() {
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

  /** Identifies the running kernel; differs after each boot and on each clone. */
  public String bootId() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    } catch (IOException e) {
      return UUID.randomUUID().toString();
    }
  }

  /** Returns a readable description of this process as the holder of the lease. */
  public String holder() {
    return process(ProcessHandle.current().pid())
        + " on "
        + host()
        + " with the data directory "
        + directory.path();
  }

  /** Returns whether a text returned by {@link #holder} describes this process. */
  public static boolean describesProcess(String holder, ProcessHandle process) {
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
