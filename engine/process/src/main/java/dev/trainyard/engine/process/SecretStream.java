package dev.trainyard.engine.process;

import dev.trainyard.engine.SecretFiles;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes a task's secrets to a supervisor that has its own namespaces, through the pipe from which
 * the supervisor reads its first line; see {@code supervise.sh}. If the server ends during the
 * transfer, the end mark is missing and the supervisor exits without starting the task.
 */
final class SecretStream {
  private SecretStream() {}

  /**
   * Returns the first line, then the name and length of each file followed by its bytes, then a
   * dot.
   */
  static byte[] of(SecretFiles secrets) {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.writeBytes(line("secrets " + SecretMemory.size(secrets)));
    for (var file : secrets.contents().entrySet()) {
      byte[] bytes = file.getValue().getBytes(StandardCharsets.UTF_8);
      stream.writeBytes(line(file.getKey() + " " + bytes.length));
      stream.writeBytes(bytes);
    }
    stream.writeBytes(line("."));
    return stream.toByteArray();
  }

  private static byte[] line(String text) {
    return (text + "\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Returns the mount table of a task with the mount of its secrets. This mount directly follows
   * the mount of the platform's files, so that its mount point is resolved before any volume is
   * mounted. Returns the table unchanged if it has the mount already.
   *
   * @param platformSource the source of the platform's files
   */
  static String addMount(String table, String platformSource) {
    String source = Fstab.escape(platformSource) + " ";
    String platformMountPoint =
        table
            .lines()
            .filter(line -> line.startsWith(source))
            .map(line -> line.split(" ", -1)[1])
            .findFirst()
            .orElseThrow();
    String target = platformMountPoint + "/" + SecretFiles.DIRECTORY;
    String flags = "nosuid,nodev,noexec";
    String entries =
        SecretFiles.DIRECTORY
            + " %1$s none bind,%2$s 0 0\nnone %1$s none remount,bind,ro,%2$s 0 0\n"
                .formatted(target, flags);
    if (table.contains(entries)) {
      return table;
    }
    int lastEntry = table.lastIndexOf(" " + platformMountPoint + " ");
    int end = table.indexOf('\n', lastEntry) + 1;
    return table.substring(0, end) + entries + table.substring(end);
  }
}
