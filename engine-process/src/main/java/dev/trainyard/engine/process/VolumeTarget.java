package dev.trainyard.engine.process;

import dev.trainyard.engine.EngineException;
import java.util.List;

/**
 * Where a volume may appear in a task. Such paths come from job files: nothing about them is sure.
 */
final class VolumeTarget {
  private static final List<String> KERNEL_DIRECTORIES = List.of("proc", "sys", "dev");
  private static final int LONGEST = 4000;

  private VolumeTarget() {}

  /**
   * The path without superfluous slashes.
   *
   * @throws EngineException saying what is wrong with it
   */
  static String check(String target) {
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
    if (KERNEL_DIRECTORIES.contains(names.getFirst())) {
      throw refused(target, "/" + names.getFirst() + " belongs to the system");
    }
    return "/" + String.join("/", names);
  }

  private static EngineException refused(String target, String reason) {
    return new EngineException("the path " + target + " can't be used in a task: " + reason);
  }
}
