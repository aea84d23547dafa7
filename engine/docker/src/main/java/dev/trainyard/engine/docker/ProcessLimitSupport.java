package dev.trainyard.engine.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines which process limits the engine can set on this host. */
final class ProcessLimitSupport {
  /** Number of the capability that allows a process to raise its limits. */
  private static final int CAP_SYS_RESOURCE = 24;

  private static final boolean CAN_RAISE_LIMITS = hasResourceCapability();

  private ProcessLimitSupport() {}

  /**
   * Returns whether the Docker engine can give a container a higher limit than its own. If the host
   * is itself a container or a small virtual machine, no process may be able to raise limits, and a
   * start that requires it fails. In that case the capability is also missing in the bounding set
   * of this process.
   */
  static boolean canRaiseLimits() {
    return CAN_RAISE_LIMITS;
  }

  /**
   * Returns a hard limit of this process by its name in {@code /proc/self/limits}; empty if
   * unlimited.
   */
  static OptionalLong serverLimit(String name) {
    try {
      return parseHardLimit(Files.readString(Path.of("/proc/self/limits")), name);
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  /** Parses lines of the form {@code name soft hard unit}; names contain spaces. */
  static OptionalLong parseHardLimit(String table, String name) {
    Matcher line =
        Pattern.compile("^" + Pattern.quote(name) + " +\\S+ +(\\d{1,18})\\b", Pattern.MULTILINE)
            .matcher(table);
    return line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
  }

  private static boolean hasResourceCapability() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("CapBnd:")) {
          long bounds = Long.parseUnsignedLong(line.substring("CapBnd:".length()).strip(), 16);
          return (bounds >> CAP_SYS_RESOURCE & 1) == 1;
        }
      }
    } catch (IOException | NumberFormatException e) {
      return false;
    }
    return false;
  }
}
