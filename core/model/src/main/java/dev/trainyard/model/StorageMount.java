package dev.trainyard.model;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A storage that a job requests.
 *
 * @param mountPath path in the tasks of the job
 */
public record StorageMount(String name, String mountPath) {
  /** Pattern of a valid name; it excludes ".." and names that are hidden in directory listings. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,254}");

  private static final int MAX_PATH_LENGTH = 1024;

  /** First path components below which a task or the system already has files. */
  private static final Set<String> RESERVED_NAMES =
      Set.of(
          "userhome",
          "gdata",
          "gshare",
          "joboutput",
          "proc",
          "sys",
          "dev",
          "usr",
          "etc",
          "bin",
          "sbin",
          "lib",
          "lib32",
          "lib64",
          "libx32",
          "tmp",
          "run",
          "boot");

  /**
   * System directories below which mount points can be created, but which cannot be mount points
   * themselves.
   */
  private static final Set<String> SYSTEM_DIRECTORIES =
      Set.of("home", "media", "mnt", "opt", "root", "srv", "var");

  public static boolean isValidName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Returns whether a storage can be mounted at the path in a task of any engine. */
  public boolean isValid() {
    List<String> components = components();
    if (!mountPath.startsWith("/")
        || mountPath.length() > MAX_PATH_LENGTH
        || mountPath.chars().anyMatch(Character::isISOControl)
        || components.isEmpty()
        || components.contains("..")) {
      return false;
    }
    return !RESERVED_NAMES.contains(components.getFirst())
        && !(components.size() == 1 && SYSTEM_DIRECTORIES.contains(components.getFirst()));
  }

  /** Returns whether one of the two paths is inside the other. */
  public boolean overlaps(StorageMount other) {
    List<String> ownComponents = components();
    List<String> otherComponents = other.components();
    int commonLength = Math.min(ownComponents.size(), otherComponents.size());
    return ownComponents.subList(0, commonLength).equals(otherComponents.subList(0, commonLength));
  }

  private List<String> components() {
    return Arrays.stream(mountPath.split("/", -1))
        .filter(component -> !component.isEmpty() && !component.equals("."))
        .toList();
  }
}
