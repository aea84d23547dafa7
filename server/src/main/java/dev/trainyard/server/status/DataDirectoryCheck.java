package dev.trainyard.server.status;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** Checks that the data directory can be written, by writing a file. */
public final class DataDirectoryCheck implements Health.Check {
  private static final byte[] CONTENT = "health check\n".getBytes(StandardCharsets.UTF_8);

  private final Path directory;

  public DataDirectoryCheck(Path directory) {
    this.directory = directory;
  }

  @Override
  public Optional<String> problem() throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.of(directory + " is not a directory");
    }
    Path file = Files.createTempFile(directory, ".health-", "");
    try {
      Files.write(file, CONTENT);
      return Optional.empty();
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
