package dev.trainyard.engine.linux;

import dev.trainyard.engine.EngineException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Where a volume may appear in a task. Such paths come from job files: nothing about them is sure.
 */
public final class VolumeTarget {
  /** The kernel's, and those a task's programs come from: nothing of a user's may replace them. */
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("proc", "sys", "dev", "usr", "etc", "bin", "sbin", "lib", "lib32", "lib64", "libx32");

  private static final int LONGEST = 4000;

  private VolumeTarget() {}

  /**
   * The path without superfluous slashes.
   *
   * @throws EngineException saying what is wrong with it
   */
  public static String check(String target) {
    if (!target.startsWith("/")) {
      throw refused(target, "it must start with /");
    }
    if (target.length() > LONGEST || target.chars().anyMatch(Character::isISOControl)) {
      throw refused(target.substring(0, Math.min(80, target.length())), "it is no usable path");
    }
    List<String> names =
        List.of(target.split("/")).stream()
            .filter(name -> !name.isEmpty() && !name.equals("."))
            .toList();
    if (names.isEmpty()) {
      throw refused(target, "a volume can't replace the whole file system");
    }
    if (names.contains("..")) {
      throw refused(target, "it must not contain ..");
    }
    if (SYSTEM_DIRECTORIES.contains(names.getFirst())) {
      throw refused(target, "/" + names.getFirst() + " belongs to the system");
    }
    return "/" + String.join("/", names);
  }

  /**
   * Checks all of a task's together. A target inside another volume is refused: its path would be
   * walked through files that the user's other tasks may change at that very moment.
   *
   * @throws EngineException saying what is wrong
   */
  public static void checkAll(List<String> targets) {
    List<Path> places = targets.stream().map(target -> Path.of(check(target))).sorted().toList();
    for (int i = 0; i < places.size(); i++) {
      for (Path other : places.subList(i + 1, places.size())) {
        if (other.startsWith(places.get(i))) {
          throw refused(other.toString(), "it lies in another volume, " + places.get(i));
        }
      }
    }
  }

  private static EngineException refused(String target, String reason) {
    return new EngineException("the path " + target + " can't be used in a task: " + reason);
  }
}
