package dev.trainyard.engine.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory with more names than fit into the memory of a small process. A task can create
 * millions of names for few files, because hard links cost almost no disk space.
 */
public final class HugeDirectory {
  /** Number of names; they occupy more memory than {@link #run} provides. */
  public static final int NAME_COUNT = 80_000;

  private static final int LINKS_PER_FILE = 40_000;
  private static final String LONG_NAME = "n".repeat(240);

  private HugeDirectory() {}

  /** Adds {@link #NAME_COUNT} names of empty files to a directory. */
  public static void fill(Path directory) throws IOException {
    Path file = directory;
    for (int i = 0; i < NAME_COUNT; i++) {
      Path name = directory.resolve(LONG_NAME + i);
      if (i % LINKS_PER_FILE == 0) {
        file = Files.createFile(name);
      } else {
        Files.createLink(name, file);
      }
    }
  }

  /**
   * Runs a class in a process with 16 MB of heap and 1,500 descriptors; returns its output, whose
   * last line is its exit code.
   */
  public static List<String> run(Class<?> main, Path... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "ulimit -n 1500; exec \"$0\" \"$@\"",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx16m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    for (Path argument : arguments) {
      command.add(argument.toString());
    }
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> lines;
    try (var output = process.inputReader()) {
      lines = new ArrayList<>(output.lines().toList());
    }
    lines.add("exit code " + process.waitFor());
    return lines;
  }
}
