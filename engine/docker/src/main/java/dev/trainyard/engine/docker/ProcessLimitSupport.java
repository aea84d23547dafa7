package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the machine lets anybody do about the limits of processes. */
final class ProcessLimitSupport {
  /** CAP_SYS_RESOURCE. */
  private static final int RAISE = 24;

  private static final boolean MAY_BE_RAISED = find();

  private ProcessLimitSupport() {}

  /**
   * Whether the Docker engine can give a container a higher limit than it has itself. On a machine
   * that is itself a container or a small virtual one nobody may, and a start that tries fails.
   * What no process of the machine may have is missing in what ours could ever get.
   */
  static boolean mayBeRaised() {
    return MAY_BE_RAISED;
  }

  /** The most that this process may have of what {@code /proc} calls this; empty if unlimited. */
  static OptionalLong own(String what) {
    try {
      return read(Files.readString(Path.of("/proc/self/limits")), what);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** A line is {@code name soft hard unit}; names have spaces in them. */
  static OptionalLong read(String table, String what) {
    Matcher line =
        Pattern.compile("^" + Pattern.quote(what) + " +\\S+ +(\\d{1,18})\\b", Pattern.MULTILINE)
            .matcher(table);
    return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }

  private static boolean find() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("CapBnd:")) {
          long bounds = Long.parseUnsignedLong(line.substring("CapBnd:".length()).strip(), 16);
          return (bounds >> RAISE & 1) == 1;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return false;
    }
    return false;
  }
}
