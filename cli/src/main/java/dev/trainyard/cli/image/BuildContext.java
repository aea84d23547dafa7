package dev.trainyard.cli.image;

import dev.trainyard.jobfile.dockerfile.PathPattern;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/** Build context: an archive of the files that a build needs. Symbolic links are not followed. */
final class BuildContext {
  private final Path root;
  private final DockerIgnore ignore;
  private final String dockerfile;
  private final List<Path> paths = new ArrayList<>();
  private final List<String> specialFiles = new ArrayList<>();
  private long totalSize;

  /** Receives the progress in bytes. */
  interface Progress {
    void sent(long done, long total);
  }

  private BuildContext(Path root, DockerIgnore ignore, String dockerfile) {
    this.root = root;
    this.ignore = ignore;
    this.dockerfile = PathPattern.clean(dockerfile);
  }

  /**
   * @param dockerfile included even if .dockerignore excludes it
   */
  static BuildContext of(Path directory, String dockerfile) {
    try {
      Path file = directory.resolve(".dockerignore");
      List<String> lines = Files.isRegularFile(file) ? Files.readAllLines(file) : List.of();
      BuildContext buildContext = new BuildContext(directory, new DockerIgnore(lines), dockerfile);
      buildContext.collectFiles();
      return buildContext;
    } catch (IOException e) {
      throw new AppException(
          ErrorCode.BAD_REQUEST,
          Message.of("cli.build.unreadable", "path", directory.toString())
              .with("detail", String.valueOf(e.getMessage())));
    }
  }

  /** Returns the pipes, sockets and devices, which are skipped. */
  List<String> specialFiles() {
    return specialFiles;
  }

  private String relativeName(Path path) {
    return root.relativize(path).toString();
  }

  private boolean isIncluded(String name) {
    return name.equals(dockerfile) || !ignore.excludes(name);
  }

  private void collectFiles() throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            String name = relativeName(path);
            if (name.isEmpty()) {
              return FileVisitResult.CONTINUE;
            }
            if (isIncluded(name)) {
              paths.add(path);
              return FileVisitResult.CONTINUE;
            }
            boolean mayContainIncluded =
                dockerfile.startsWith(name + "/") || ignore.hasExceptions();
            return mayContainIncluded ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            String name = relativeName(path);
            if (isIncluded(name)) {
              if (attributes.isOther()) {
                specialFiles.add(name);
              } else {
                paths.add(path);
                totalSize += attributes.isRegularFile() ? attributes.size() : 0;
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  void writeTo(OutputStream out, Progress progress) throws IOException {
    long done = 0;
    try (TarWriter tar = new TarWriter(new GZIPOutputStream(out, 1 << 16))) {
      for (Path path : paths) {
        done += tar.add(relativeName(path), path);
        progress.sent(done, totalSize);
      }
    }
  }
}
