package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Validates the path at which a volume is mounted in a task. These paths come from job files and
 * are untrusted.
 */
public final class VolumeTarget {
  /**
   * Directories of the kernel and of the task's programs, which no volume of a user may replace.
   */
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("proc", "sys", "dev", "usr", "etc", "bin", "sbin", "lib", "lib32", "lib64", "libx32");

  private static final int MAX_LENGTH = 4000;

  private VolumeTarget() {}

  /**
   * Returns the path without redundant slashes.
   *
   * @throws EngineException with the reason if the path is invalid
   */
  public static String check(String target) {
    if (!target.startsWith("/")) {
      throw invalidTarget(target, "it must start with /");
    }
    if (target.length() > MAX_LENGTH || target.chars().anyMatch(Character::isISOControl)) {
      throw invalidTarget(
          target.substring(0, Math.min(80, target.length())), "it is not a valid path");
    }
    List<String> names =
        List.of(target.split("/")).stream()
            .filter(name -> !name.isEmpty() && !name.equals("."))
            .toList();
    if (names.isEmpty()) {
      throw invalidTarget(target, "a volume can't replace the whole file system");
    }
    if (names.contains("..")) {
      throw invalidTarget(target, "it must not contain ..");
    }
    if (SYSTEM_DIRECTORIES.contains(names.getFirst())) {
      throw invalidTarget(target, "/" + names.getFirst() + " belongs to the system");
    }
    return "/" + String.join("/", names);
  }

  /**
   * Checks all targets of a task. A target inside another volume is rejected, because its path
   * would be resolved through files that the user's other tasks may change at the same time.
   *
   * @throws EngineException with the reason if a path is invalid
   */
  public static void checkAll(List<String> targets) {
    List<Path> paths = targets.stream().map(target -> Path.of(check(target))).sorted().toList();
    for (int i = 0; i < paths.size(); i++) {
      for (Path other : paths.subList(i + 1, paths.size())) {
        if (other.startsWith(paths.get(i))) {
          throw invalidTarget(other.toString(), "it is inside another volume, " + paths.get(i));
        }
      }
    }
  }

  private static EngineException invalidTarget(String target, String reason) {
    return new EngineException("the path " + target + " can't be used in a task: " + reason);
  }
}
