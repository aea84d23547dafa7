package dev.trainyard.server.image;

import dev.trainyard.jobfile.dockerfile.ContextFiles;
import dev.trainyard.server.work.Requester;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The build context of a build on disk. Symbolic links are not followed. */
record ContextDirectory(Path root) implements ContextFiles {
  /** Number of files and directories, and total bytes of the files. */
  record Size(long entries, long bytes) {}

  @Override
  public Optional<Boolean> isDirectory(String path) {
    Path file = root;
    for (String name : path.isEmpty() ? new String[0] : path.split("/", -1)) {
      if (name.equals("..") || !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
        return Optional.empty();
      }
      file = file.resolve(name);
    }
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
        : Optional.empty();
  }

  @Override
  public void each(Predicate<String> visitor) {
    try (Stream<Path> paths = Files.walk(root)) {
      boolean _ =
          paths
              .map(path -> root.relativize(path).toString())
              .filter(path -> !path.isEmpty())
              .allMatch(visitor);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the size of everything below the directory; zero if the directory does not exist. */
  Size size() {
    long entries = 0;
    long bytes = 0;
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Requester.requireCurrent();
        BasicFileAttributes attributes =
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        entries += path.equals(root) ? 0 : 1;
        bytes += attributes.isRegularFile() ? attributes.size() : 0;
      }
    } catch (NoSuchFileException e) {
      return new Size(0, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Size(entries, bytes);
  }

  /**
   * Returns the content of a file; empty if the path does not refer to a regular file or the file
   * is longer than {@code maxBytes}.
   */
  Optional<byte[]> read(String path, int maxBytes) throws IOException {
    boolean isFile = isDirectory(path).filter(directory -> !directory).isPresent();
    Path file = root.resolve(path);
    if (!isFile || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    return Files.size(file) > maxBytes ? Optional.empty() : Optional.of(Files.readAllBytes(file));
  }
}
