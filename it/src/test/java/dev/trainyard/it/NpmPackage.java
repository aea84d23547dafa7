package dev.trainyard.it;

import dev.trainyard.engine.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Node.js program whose dependencies are installed once from the npm registry. */
final class NpmPackage {
  private final Path directory;

  private NpmPackage(Path directory) {
    this.directory = directory;
  }

  /**
   * Installs a program. Needs Node.js and, at the first installation, access to the npm registry.
   *
   * @param name name of the directory of the program in {@code it/src/test}
   * @param dependency a package whose presence shows that all dependencies are installed
   */
  // Synchronized, because concurrent test classes install the same packages.
  static synchronized NpmPackage install(String name, String dependency) throws Exception {
    Path sources = Trainyard.CHECKOUT.resolve("it/src/test").resolve(name);
    Path directory = Trainyard.CHECKOUT.resolve("it/target").resolve(name);
    Files.createDirectories(directory);
    boolean there = runs(directory, "node", "--version") && runs(directory, "npm", "--version");
    Requirement.require("node", there, "no node");
    copy(sources, directory);
    boolean installed =
        Files.isDirectory(directory.resolve("node_modules").resolve(dependency))
            || runs(directory, "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund");
    Requirement.require("node", installed, "the npm registry does not respond");
    return new NpmPackage(directory);
  }

  private static void copy(Path sources, Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.toList()) {
        Path copy = directory.resolve(sources.relativize(file).toString());
        if (Files.isDirectory(file)) {
          Files.createDirectories(copy);
          deleteOthers(copy, file);
        } else if (!Files.exists(copy) || Files.mismatch(file, copy) >= 0) {
          // Does not overwrite unchanged files because another test class may be running them.
          Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }

  /** Deletes files that are no longer in the sources, such as a renamed flow. */
  private static void deleteOthers(Path directory, Path sources) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!Files.exists(sources.resolve(file.getFileName()))) {
          Files.delete(file);
        }
      }
    }
  }

  private static boolean runs(Path directory, String... command) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns a builder for a command in the directory of the program. */
  ProcessBuilder command(String... command) {
    return new ProcessBuilder(command).directory(directory.toFile());
  }
}
