package dev.trainyard.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rules for the paths in a task that a job file names as its data or output directory. */
public final class TaskPath {
  /** The output directory of a job whose file does not name one. */
  public static final String DEFAULT_OUTPUT = "/joboutput";

  private static final String HOME = "userhome";
  private static final Set<String> PLATFORM_DIRECTORIES = Set.of(HOME, "gdata", "gshare");
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("bin", "etc", "lib", "lib32", "lib64", "libx32", "sbin", "usr");
  private static final Set<String> EXISTING_DIRECTORIES =
      Set.of("boot", "home", "media", "mnt", "opt", "root", "run", "srv", "var");
  private static final Set<String> KERNEL_DIRECTORIES = Set.of("dev", "proc", "sys");

  private TaskPath() {}

  /**
   * Returns whether the path needs a volume because nothing is there yet. Leaves it to the engine
   * to reject invalid paths.
   */
  public static boolean needsVolume(String path) {
    List<String> names = names(path);
    if (!path.startsWith("/") || names.isEmpty()) {
      return false;
    }
    String first = names.getFirst();
    boolean isExistingDirectory = names.size() == 1 && EXISTING_DIRECTORIES.contains(first);
    return !PLATFORM_DIRECTORIES.contains(first)
        && !SYSTEM_DIRECTORIES.contains(first)
        && !isExistingDirectory;
  }

  /**
   * Returns whether the files of an output directory are listed as the output of the job: in a
   * volume of the job or below the home of its owner.
   */
  public static boolean isSaved(String path) {
    List<String> names = names(path);
    if (names.contains("..") || path.chars().anyMatch(Character::isISOControl)) {
      return false;
    }
    return belowHome(path).isPresent()
        || (needsVolume(path) && !KERNEL_DIRECTORIES.contains(names.getFirst()));
  }

  /**
   * Returns the part of a path below the home of the job's owner. Empty for other paths, including
   * the home itself: users who may see the output of a job must not see the whole home.
   */
  public static Optional<String> belowHome(String path) {
    List<String> names = names(path);
    return path.startsWith("/")
            && names.size() > 1
            && names.getFirst().equals(HOME)
            && !names.contains("..")
        ? Optional.of(String.join("/", names.subList(1, names.size())))
        : Optional.empty();
  }

  /** Returns whether an absolute path equals the ancestor or is below it. */
  public static boolean isBelow(String path, String ancestor) {
    if (!path.startsWith("/") || !ancestor.startsWith("/")) {
      return false;
    }
    List<String> outer = names(ancestor);
    List<String> inner = names(path);
    return inner.size() >= outer.size() && inner.subList(0, outer.size()).equals(outer);
  }

  private static List<String> names(String path) {
    return Arrays.stream(path.split("/", -1))
        .filter(name -> !name.isEmpty() && !name.equals("."))
        .toList();
  }
}
