package dev.trainyard.model;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A storage a job wants to see.
 *
 * @param mountPath where in its tasks
 */
public record StorageMount(String name, String mountPath) {
  /** Never one of two dots, nor one that hides from a listing. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,254}");

  private static final int LONGEST_PATH = 1024;

  /** First parts of paths where every task has something already, or the system has. */
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

  /** Directories of the system in which there is room, but which can't be replaced. */
  private static final Set<String> FULL =
      Set.of("home", "media", "mnt", "opt", "root", "srv", "var");

  public static boolean isName(String name) {
    return NAME.matcher(name).matches();
  }

  /** Whether something can be put there in a task of any engine. */
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

  /** Whether one of both paths lies in the other. */
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
