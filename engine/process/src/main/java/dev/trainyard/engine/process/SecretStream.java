package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * How a supervisor in namespaces of its own gets a task's secrets: by the pipe from which it reads
 * its first word, see {@code supervise.sh}. A server that ends in the middle leaves no end mark,
 * and the supervisor leaves before the task has begun.
 */
final class SecretStream {
  private SecretStream() {}

  /** The first line, then name and length of each with its bytes behind, then a dot. */
  static byte[] of(SecretFiles secrets) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(line("secrets " + SecretMemory.bytes(secrets)));
    for (var file : secrets.texts().entrySet()) {
      byte[] bytes = file.getValue().getBytes(StandardCharsets.UTF_8);
      all.writeBytes(line(file.getKey() + " " + bytes.length));
      all.writeBytes(bytes);
    }
    all.writeBytes(line("."));
    return all.toByteArray();
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * The table of a task's mounts with that of its secrets, right behind that of the platform's
   * files: so its place is found before any volume is there. The same if it has it already.
   *
   * @param platform the source of the platform's files
   */
  static String addTo(String table, String platform) {
    String source = Fstab.escaped(platform) + " ";
    String place =
        table
            .lines()
            .filter(line -> line.startsWith(source))
            .map(line -> line.split(" ", -1)[1])
            .findFirst()
            .orElseThrow();
    String target = place + "/" + SecretFiles.DIRECTORY;
    String flags = "nosuid,nodev,noexec";
    String lines =
        SecretFiles.DIRECTORY
            + " %1$s none bind,%2$s 0 0\nnone %1$s none remount,bind,ro,%2$s 0 0\n"
                .formatted(target, flags);
    if (table.contains(lines)) {
      return table;
    }
    int last = table.lastIndexOf(" " + place + " ");
    int end = table.indexOf('\n', last) + 1;
    return table.substring(0, end) + lines + table.substring(end);
  }
}
