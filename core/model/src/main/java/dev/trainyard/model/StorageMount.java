package dev.trainyard.model;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A storage that a job requests.
 *
 * @param mountPath path in its tasks
 */
public record StorageMount(String name, String mountPath) {
  /** Excludes "..", and names that are hidden in directory listings. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,254}");

  private static final int LONGEST_PATH = 1024;

  /** First path components at which every task or the system already has something. */
  private static final Set<String> TAKEN =
      Set.of(
          "userhome",
          "gdata",
          "gshare",
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

  /** System directories in which mount points can be created, but which cannot be replaced. */
  private static final Set<String> FULL =
      Set.of("home", "media", "mnt", "opt", "root", "srv", "var");

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Returns whether a storage can be mounted at the path in a task of any engine. */
  public boolean isPossible() {
    List<String> names = names();
    if (!mountPath.startsWith("/")
        || mountPath.length() > LONGEST_PATH
        || mountPath.chars().anyMatch(Character::isISOControl)
        || names.isEmpty()
        || names.contains("..")) {
      return false;
    }
    return !TAKEN.contains(names.getFirst())
        && !(names.size() == 1 && FULL.contains(names.getFirst()));
  }

  /** Returns whether one of the two paths is inside the other. */
  public boolean overlaps(StorageMount other) {
    List<String> own = names();
    List<String> others = other.names();
    int common = Math.min(own.size(), others.size());
    return own.subList(0, common).equals(others.subList(0, common));
  }

  private List<String> names() {
    return Arrays.stream(mountPath.split("/", -1))
        .filter(part -> !part.isEmpty() && !part.equals("."))
        .toList();
  }
}
