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
 * Ensures at most one server per data directory. The kernel releases the lock when the process
 * ends, however it ends; the file names the holder.
 */
public final class ServerLock implements AutoCloseable {
  /**
   * The locks of this process. Opening and closing the file a second time would release the lock,
   * because a process loses its POSIX locks when it closes any descriptor of the file.
   */
  private static final Map<Path, ServerLock> HELD = new ConcurrentHashMap<>();

  private static final Pattern HOLDER = Pattern.compile("pid (\\d{1,18})\\b");

  private final Path file;
  private FileChannel channel;
  private volatile String holder = "";

  private ServerLock(Path file) {
    this.file = file;
  }

  public static ServerLock take(DataDirectory directory) {
    ServerLock lock = new ServerLock(directory.resolve("lock"));
    ServerLock other = HELD.putIfAbsent(lock.file, lock);
    if (other != null) {
      throw taken(directory, other.holder);
    }
    try {
      lock.open(directory);
      lock.announce("");
      return lock;
    } catch (IOException e) {
      HELD.remove(lock.file);
      throw new UncheckedIOException(e);
    } catch (AppException e) {
      HELD.remove(lock.file);
      throw e;
    }
  }

  private void open(DataDirectory directory) throws IOException {
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
      throw taken(
          directory,
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).strip());
    }
  }

  /**
   * Returns the process that holds the lock of a directory. Its ID is confirmed by the kernel, so
   * that a stale number in the file, or one of another PID namespace, never names a wrong process.
   */
  public static Optional<ProcessHandle> holder(DataDirectory directory) {
    Path file = directory.resolve("lock");
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

  /** Stores the URL of this server for a second process that fails to get the lock. */
  public void announce(String url) {
    holder = ("pid " + ProcessHandle.current().pid() + " " + url).strip();
    try {
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((holder + "\n").getBytes(StandardCharsets.UTF_8)), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.truncate(0);
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      HELD.remove(file);
    }
  }

  private static AppException taken(DataDirectory directory, String holder) {
    return new AppException(
        ErrorCode.CONFLICT,
        Message.of("config.already-running", "path", directory.path().toString())
            .with("holder", holder));
  }
}
