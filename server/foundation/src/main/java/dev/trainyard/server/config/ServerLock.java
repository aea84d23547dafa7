package dev.trainyard.server.config;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Ensures that at most one server uses a data directory, and that at most one server uses an SQLite
 * file. The kernel releases the lock when the process ends, even after a crash. The lock file
 * contains the process ID and the URL of the holder.
 */
public final class ServerLock implements AutoCloseable {
  /**
   * The locks of this process. Needed because a process must not open a lock file twice: it loses
   * its POSIX locks when it closes any descriptor of the file.
   */
  private static final Map<Path, ServerLock> HELD_LOCKS = new ConcurrentHashMap<>();

  private static final String FILE = "lock";
  private static final Pattern HOLDER = Pattern.compile("pid (\\d{1,18})\\b");

  private final Path file;
  private final Message heldMessage;
  private FileChannel channel;
  private volatile String holder = "";

  private ServerLock(Path file, Message heldMessage) {
    this.file = file;
    this.heldMessage = heldMessage;
  }

  public static ServerLock acquire(DataDirectory directory) {
    String path = directory.path().toString();
    try {
      return acquire(
          new ServerLock(
              directory.resolve(FILE), Message.of("config.already-running", "path", path)));
    } catch (UncheckedIOException e) {
      throw directory.unusable(FILE, e.getCause());
    }
  }

  /**
   * Locks an SQLite file, so that two servers with different data directories cannot use it at the
   * same time.
   *
   * @param database real path of the SQLite file, with symbolic links resolved, because the lock
   *     file is created next to it
   */
  public static ServerLock lockDatabase(Path database) {
    String name = database.toString();
    try {
      return acquire(
          new ServerLock(
              database.resolveSibling(database.getFileName() + ".lock"),
              Message.of("config.db-in-use", "file", name)));
    } catch (UncheckedIOException e) {
      throw new AppException(
          ErrorCode.CONFLICT,
          Message.of("config.db-read-only", "file", name).with("detail", e.getMessage()));
    }
  }

  private static ServerLock acquire(ServerLock lock) {
    ServerLock other = HELD_LOCKS.putIfAbsent(lock.file, lock);
    if (other != null) {
      throw lock.heldException(other.holder);
    }
    try {
      lock.open();
      lock.announce("");
      return lock;
    } catch (IOException e) {
      HELD_LOCKS.remove(lock.file);
      throw new UncheckedIOException(e);
    } catch (AppException e) {
      HELD_LOCKS.remove(lock.file);
      throw e;
    }
  }

  private void open() throws IOException {
    channel =
        FileChannel.open(
            file,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    FileLock lock = channel.tryLock();
    if (lock == null) {
      ByteBuffer bytes = ByteBuffer.allocate(4096);
      channel.read(bytes, 0);
      channel.close();
      throw heldException(
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip());
    }
  }

  /**
   * Returns the process that holds the lock of a directory. The process ID in the file is compared
   * with the locks listed by the kernel, because it may be stale or belong to another PID
   * namespace.
   */
  public static Optional<ProcessHandle> holder(DataDirectory directory) {
    Path file = directory.resolve(FILE);
    try {
      Matcher pid = HOLDER.matcher(Files.readString(file));
      if (!pid.lookingAt()) {
        return Optional.empty();
      }
      String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
      boolean confirmed =
          Files.readAllLines(Path.of("/proc/locks")).stream()
              .anyMatch(
                  line ->
                      line.contains(" POSIX ")
                          && line.contains(" " + pid.group(1) + " ")
                          && line.contains(inode));
      return confirmed ? ProcessHandle.of(Long.parseLong(pid.group(1))) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Stores the URL of this server in the lock file, so that a process that fails to acquire the
   * lock can report it.
   */
  public void announce(String url) {
    announce("", url);
  }

  /** Like {@link #announce(String)}, but also stores the data directory of this server. */
  public void announce(DataDirectory directory, String url) {
    announce("with the data directory " + directory.path() + " ", url);
  }

  private void announce(String directory, String url) {
    holder = ("pid " + ProcessHandle.current().pid() + " " + directory + url).strip();
    try {
      write(holder + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Replaces the text of the lock file. The file never becomes empty, so writing needs no new block
   * on a full disk.
   */
  private void write(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    channel.write(ByteBuffer.wrap(bytes), 0);
    channel.truncate(bytes.length);
  }

  @Override
  public void close() {
    try {
      write("\n");
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD_LOCKS.remove(file);
    }
  }

  private AppException heldException(String other) {
    return new AppException(ErrorCode.CONFLICT, heldMessage.with("holder", other));
  }
}
