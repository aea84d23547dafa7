package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Small files that are either whole or not there, also after the machine lost its power. */
final class AtomicFile {
  private AtomicFile() {}

  /**
   * @param draft beside it; what is left there by somebody who was ended is overwritten
   */
  static void write(Path file, Path draft, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      // Otherwise the name may reach the disk before what it names.
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
