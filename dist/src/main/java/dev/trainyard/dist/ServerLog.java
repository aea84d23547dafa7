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
  private static final int KEPT = 5;
  private static final int TAIL_BYTES = 16_384;

  static ServerLog in(Path data) {
    return new ServerLog(data.resolve("server.log"));
  }

  /** Renames the log of the previous start and deletes the oldest one. */
  void rotate() throws IOException {
    if (!Files.exists(file) || Files.size(file) == 0) {
      return;
    }
    for (int age = KEPT - 1; age >= 1; age--) {
      if (Files.exists(aged(age))) {
        Files.move(aged(age), aged(age + 1), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.move(file, aged(1), StandardCopyOption.REPLACE_EXISTING);
  }

  private Path aged(int age) {
    return file.resolveSibling(file.getFileName() + "." + age);
  }

  /**
   * Returns the error message and its indented detail lines if the log ends with them; otherwise an
   * empty list.
   *
   * @param mark prefix of the error message
   */
  List<String> refusal(String mark) {
    List<String> lines = tail(Integer.MAX_VALUE);
    for (int at = lines.size() - 1; at >= 0; at--) {
      if (lines.get(at).startsWith(mark)) {
        List<String> said = new ArrayList<>(lines.subList(at + 1, lines.size()));
        said.replaceAll(String::strip);
        said.addFirst(lines.get(at).substring(mark.length()).strip());
        return said;
      }
      if (!lines.get(at).startsWith("  ")) {
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
      byte[] end = new byte[(int) (log.length() - start)];
      log.readFully(end);
      List<String> all = new String(end, StandardCharsets.UTF_8).lines().toList();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    } catch (IOException e) {
      return List.of();
    }
  }
}
