package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The part of this host that is visible to tasks if the server runs as an ordinary user, for the
 * current mounts; see {@link UserHostViews}.
 *
 * @param secrets files that no task may see, by their real paths
 */
record UserHostView(HostView view, CommonLayer common, MountTable mounts, List<Path> secrets) {
  private static final int MOST_WRITABLE = 500;
  private static final int DEPTH = 4;

  /**
   * @param data the server's data directory, by its real path
   * @param secrets files of the server in other directories
   * @param writable see {@link #writable}
   * @param canLayer whether an overlay can be mounted on a directory
   */
  static UserHostView with(
      Path data,
      List<Path> secrets,
      List<Path> writable,
      MountTable mounts,
      Predicate<Path> canLayer)
      throws IOException {
    List<Path> hidden = HiddenDirectories.of(data, HiddenDirectories.homesOfThisAccount(), mounts);
    List<Path> top;
    try (Stream<Path> all = Files.list(Path.of("/"))) {
      top = all.toList();
    }
    List<Path> files = new ArrayList<>();
    for (Path secret : secrets) {
      if (Files.exists(secret)) {
        files.add(secret.toRealPath());
      }
    }
    HostView view = HostView.of(top, hidden, mounts, canLayer);
    CommonLayer common = CommonLayer.make(data, view, writable, files);
    return new UserHostView(view, common, mounts, List.copyOf(files));
  }

  /** Returns directories into which programs install software for all users. */
  static List<Path> writable() throws IOException {
    Path local = Path.of("/usr/local");
    if (!Files.isDirectory(local, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<Path> directories = new ArrayList<>();
    List<Path> level = List.of(local);
    for (int depth = 0; depth < DEPTH && directories.size() < MOST_WRITABLE; depth++) {
      directories.addAll(level);
      List<Path> next = new ArrayList<>();
      for (Path directory : level) {
        try (Stream<Path> inside = Files.list(directory)) {
          inside
              .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
              .forEach(next::add);
        } catch (AccessDeniedException e) {
          // not accessible
        }
      }
      level = next;
    }
    return directories.stream().limit(MOST_WRITABLE).toList();
  }

  /** Returns the path of the task's own version of a file; see {@link UserRoot#files}. */
  Path ownFile(Path task, String file) {
    return emptyRoot(task).ownFile(file);
  }

  /** Returns a hash of everything that the root of a task depends on. */
  String fingerprint() {
    List<Path> system =
        mounts.below(Path.of("/sys")).stream().map(MountTable.Mount::place).toList();
    return Scripts.hash(List.of(view, common, secrets, system).toString());
  }

  /** Returns a task's root with the host's files in it. */
  UserRoot root(Path task) throws IOException {
    return emptyRoot(task).machineFiles().without(secrets);
  }

  private UserRoot emptyRoot(Path task) {
    return new UserRoot(task, view, common, mounts);
  }
}
