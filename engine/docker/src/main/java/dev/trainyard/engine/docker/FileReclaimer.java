package dev.trainyard.engine.docker;

import dev.trainyard.engine.linux.Linux;
import dev.trainyard.engine.linux.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes the server the owner of a file, with access for the owner only; runs as root and follows no
 * links.
 */
final class FileReclaimer {
  private static final int AT_EMPTY_PATH = 0x1000;
  private static final int OWNER_READS_AND_WRITES = 0600;

  private FileReclaimer() {}

  static void reclaim(Path file, ServerAccount server) throws IOException {
    // The file is not opened for reading, because opening would wait if a task holds a lease on the
    // file.
    int descriptor = Linux.open(file.toString(), Linux.O_PATH | Linux.O_NOFOLLOW);
    try (Arena arena = Arena.ofConfined()) {
      Path opened = Path.of("/proc/self/fd/" + descriptor);
      if (!Files.isRegularFile(opened)) {
        throw new IOException(file + " is not a regular file");
      }
      Linux.call(
          "change the owner of " + file,
          SystemCall.FCHOWNAT,
          descriptor,
          Linux.text(arena, ""),
          server.user(),
          server.group(),
          AT_EMPTY_PATH);
      // The permissions are set last; this also removes the setuid bit.
      Linux.changeMode(opened.toString(), OWNER_READS_AND_WRITES);
    } finally {
      Linux.close(descriptor);
    }
  }
}
