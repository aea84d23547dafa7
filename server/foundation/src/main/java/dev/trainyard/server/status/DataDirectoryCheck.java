package dev.trainyard.server.status;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** Checks that the data directory is writable, by writing a file. */
public final class DataDirectoryCheck implements Health.Check {
  private static final byte[] CONTENT = "health check\n".getBytes(StandardCharsets.UTF_8);

  static final String FILE = ".health";

  private final Path directory;

  public DataDirectoryCheck(Path directory) {
    this.directory = directory;
  }

  @Override
  public Optional<String> problem() throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of(directory + " is not a directory");
    }
    // The name is always the same, so that a server that is killed leaves at most one file.
    Path file = directory.resolve(FILE);
    Files.deleteIfExists(file);
    try {
      Files.write(file, CONTENT, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      return Optional.empty();
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
