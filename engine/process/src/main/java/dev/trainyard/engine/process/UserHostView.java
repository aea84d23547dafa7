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
record UserHostView(HostView view, CommonLayer commonLayer, MountTable mounts, List<Path> secrets) {
  private static final int MAX_WRITABLE_DIRECTORIES = 500;
  private static final int MAX_DEPTH = 4;

  /**
   * @param data the server's data directory, by its real path
   * @param secrets files of the server in other directories
   * @param writableDirectories result of {@link #findWritableDirectories}
   * @param canOverlay whether an overlay can be mounted on a directory
   */
  static UserHostView create(
      Path data,
      List<Path> secrets,
      List<Path> writableDirectories,
      MountTable mounts,
      Predicate<Path> canOverlay)
      throws IOException {
    List<Path> hiddenDirectories =
        HiddenDirectories.of(data, HiddenDirectories.homesOfThisAccount(), mounts);
    List<Path> topLevel;
    try (Stream<Path> entries = Files.list(Path.of("/"))) {
      topLevel = entries.toList();
    }
    List<Path> secretFiles = new ArrayList<>();
    for (Path secret : secrets) {
      if (Files.exists(secret)) {
        secretFiles.add(secret.toRealPath());
      }
    }
    HostView view = HostView.of(topLevel, hiddenDirectories, mounts, canOverlay);
    CommonLayer commonLayer = CommonLayer.create(data, view, writableDirectories, secretFiles);
    return new UserHostView(view, commonLayer, mounts, List.copyOf(secretFiles));
  }

  /** Returns directories into which programs install software for all users. */
  static List<Path> findWritableDirectories() throws IOException {
    Path usrLocal = Path.of("/usr/local");
    if (!Files.isDirectory(usrLocal, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    List<Path> directories = new ArrayList<>();
    List<Path> level = List.of(usrLocal);
    for (int depth = 0;
        depth < MAX_DEPTH && directories.size() < MAX_WRITABLE_DIRECTORIES;
        depth++) {
      directories.addAll(level);
      List<Path> nextLevel = new ArrayList<>();
      for (Path directory : level) {
        try (Stream<Path> entries = Files.list(directory)) {
          entries
              .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
              .forEach(nextLevel::add);
        } catch (AccessDeniedException e) {
          // The directory is not accessible.
        }
      }
      level = nextLevel;
    }
    return directories.stream().limit(MAX_WRITABLE_DIRECTORIES).toList();
  }

  /** Returns the path of the task's own version of a file; see {@link UserRoot#addFiles}. */
  Path ownFile(Path task, String file) {
    return emptyRoot(task).ownFile(file);
  }

  /** Returns a hash of everything that the root of a task depends on. */
  String fingerprint() {
    List<Path> sysMountPoints =
        mounts.mountsBelow(Path.of("/sys")).stream().map(MountTable.Mount::mountPoint).toList();
    return Scripts.hash(List.of(view, commonLayer, secrets, sysMountPoints).toString());
  }

  /** Returns a task's root with the host's files in it. */
  UserRoot createRoot(Path task) throws IOException {
    return emptyRoot(task).addHostFiles().hideFiles(secrets);
  }

  private UserRoot emptyRoot(Path task) {
    return new UserRoot(task, view, commonLayer, mounts);
  }
}
