package dev.trainyard.server.db;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories that outlive a single test; deleted when the JVM ends. */
public final class TemporaryDirectory {
  private static final Path ROOT = makeRoot();

  private TemporaryDirectory() {}

  public static Path create() {
    try {
      return Files.createTempDirectory(ROOT, "t");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path makeRoot() {
    try {
      Path root = Files.createTempDirectory("trainyard-test");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(root)));
      return root;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path root) {
    try (Stream<Path> files = Files.walk(root)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
