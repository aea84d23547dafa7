package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines which process limits the engine can set on this host. */
final class ProcessLimitSupport {
  /** CAP_SYS_RESOURCE. */
  private static final int RAISE = 24;

  private static final boolean MAY_BE_RAISED = find();

  private ProcessLimitSupport() {}

  /**
   * Returns whether the Docker engine can give a container a higher limit than its own. If the host
   * is itself a container or a small virtual machine, no process can, and a start that tries fails.
   * In that case the capability is missing in the bounding set of this process too.
   */
  static boolean mayBeRaised() {
    return MAY_BE_RAISED;
  }

  /** Returns the hard limit of this process with this name in {@code /proc}; empty if unlimited. */
  static OptionalLong own(String what) {
    try {
      return read(Files.readString(Path.of("/proc/self/limits")), what);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** Parses lines of the form {@code name soft hard unit}; names contain spaces. */
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
