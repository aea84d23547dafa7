package dev.trainyard.server.http;

import dev.trainyard.model.DataSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Limits on the resources that all clients of a listener together may use.
 *
 * @param bodyStall maximum pause of a request body; after a longer pause, the connection is closed
 * @param bodyBytesPerSecond minimum average rate of a request body; its total time is not limited
 * @param bodies maximum total size of the request bodies in memory
 * @param responses maximum total size of the responses in memory that clients have not read yet
 * @param connections maximum open connections, including those that wait for a TLS handshake
 * @param connectionsPerAddress maximum open connections of one client address; loopback addresses
 *     and trusted proxies, which many clients share, are exempt
 */
public record LoadLimits(
    Duration bodyStall,
    int bodyBytesPerSecond,
    DataSize bodies,
    DataSize responses,
    int connections,
    int connectionsPerAddress) {
  private static final Path PROCESS_LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";
  private static final long DEFAULT_OPEN_FILES = 1_024;
  private static final long MEMORY_PER_CONNECTION = 256 << 10;
  private static final int MIN_CONNECTIONS = 16;

  /** Returns limits derived from the heap and the file descriptor limit of this process. */
  public static LoadLimits ofThisProcess() {
    return of(Runtime.getRuntime().maxMemory(), Math.max(0, openFiles() - usedFiles()));
  }

  /**
   * @param descriptors unused file descriptors; half of them are left for files, tasks and the
   *     database
   */
  static LoadLimits of(long heap, long descriptors) {
    long limit = Math.min(heap / MEMORY_PER_CONNECTION, descriptors / 2);
    int connections = Math.clamp(limit, MIN_CONNECTIONS, 100_000);
    return new LoadLimits(
        Duration.ofSeconds(30),
        1_024,
        new DataSize(heap / 16),
        new DataSize(heap / 16),
        connections,
        connections / 2);
  }

  private static long usedFiles() {
    try (Stream<Path> openDescriptors = Files.list(Path.of("/proc/self/fd"))) {
      return openDescriptors.count();
    } catch (IOException e) {
      return 0;
    }
  }

  private static long openFiles() {
    try {
      return openFiles(Files.readAllLines(PROCESS_LIMITS));
    } catch (IOException e) {
      return DEFAULT_OPEN_FILES;
    }
  }

  /** Returns the soft limit on open files. */
  static long openFiles(List<String> processLimits) {
    for (String line : processLimits) {
      if (line.startsWith(OPEN_FILES)) {
        String softLimit = line.substring(OPEN_FILES.length()).strip().split("\\s+", 2)[0];
        return softLimit.matches("\\d{1,18}") ? Long.parseLong(softLimit) : Long.MAX_VALUE;
      }
    }
    return DEFAULT_OPEN_FILES;
  }
}
