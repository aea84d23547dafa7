package dev.trainyard.dist;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The log file of a background server; the logs of the five previous starts are kept. */
record ServerLog(Path file) {
  private static final int MAX_OLD_LOGS = 5;
  private static final int TAIL_BYTES = 16_384;

  static ServerLog of(Path data) {
    return new ServerLog(data.resolve("server.log"));
  }

  /** Renames the log of the previous start and deletes the oldest one. */
  void rotate() throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return;
    }
    for (int age = MAX_OLD_LOGS - 1; age >= 1; age--) {
      if (Files.exists(oldLog(age))) {
        Files.move(oldLog(age), oldLog(age + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.move(file, oldLog(1), StandardCopyOption.REPLACE_EXISTING);
  }

  private Path oldLog(int age) {
    return file.resolveSibling(file.getFileName() + "." + age);
  }

  /**
   * Returns the error message at the end of the log with its indented detail lines; empty if the
   * log does not end with an error message.
   *
   * @param prefix prefix of the error message
   */
  List<String> startupError(String prefix) {
    List<String> lines = tail(Integer.MAX_VALUE);
    for (int index = lines.size() - 1; index >= 0; index--) {
      if (lines.get(index).startsWith(prefix)) {
        List<String> errorLines = new ArrayList<>(lines.subList(index + 1, lines.size()));
        errorLines.replaceAll(String::strip);
        errorLines.addFirst(lines.get(index).substring(prefix.length()).strip());
        return errorLines;
      }
      if (!lines.get(index).startsWith("  ")) {
        break;
      }
    }
    return List.of();
  }

  /** Returns the last lines; empty if there is no log. */
  List<String> tail(int lines) {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      long start = Math.max(0, log.length() - TAIL_BYTES);
      log.seek(start);
      byte[] tail = new byte[(int) (log.length() - start)];
      log.readFully(tail);
      List<String> tailLines = new String(tail, StandardCharsets.UTF_8).lines().toList();
      return tailLines.subList(Math.max(0, tailLines.size() - lines), tailLines.size());
    } catch (IOException e) {
      return List.of();
    }
  }
}
