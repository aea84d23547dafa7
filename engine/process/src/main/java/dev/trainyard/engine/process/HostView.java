package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The part of the host that tasks can see if the server runs as an ordinary user: a selection of
 * the directories directly below {@code /}.
 *
 * @param hiddenDirectories host directories that appear empty to a task, at any depth
 */
record HostView(List<Part> parts, List<Path> hiddenDirectories) {
  /** One entry directly below {@code /}. */
  sealed interface Part {
    Path path();
  }

  /** A symbolic link, for example {@code /bin}, which is {@code usr/bin} on most hosts. */
  record Link(Path path, Path linkTarget) implements Part {}

  /** A directory that is read from the host, with changes written to a layer of the task. */
  record OverlayDirectory(Path path) implements Part {}

  /**
   * A directory of the host that is read-only for the task.
   *
   * @param coveredDirectories directories below {@code path} that appear empty
   * @param visibleMounts mount points below {@code path} whose files are visible
   */
  record ReadOnlyDirectory(Path path, List<Path> coveredDirectories, List<Path> visibleMounts)
      implements Part {}

  /** A directory that exists, but is empty and private to the task. */
  record EmptyDirectory(Path path) implements Part {}

  private static final Set<String> KERNEL_DIRECTORIES = Set.of("proc", "sys", "dev");

  /** Paths that can be used in overlay options without escaping. */
  private static final Pattern UNESCAPED_PATH = Pattern.compile("/[A-Za-z0-9._+-]+");

  /**
   * @param canOverlay whether the kernel allows an overlay on a directory
   */
  static HostView of(
      List<Path> topLevel,
      List<Path> hiddenDirectories,
      MountTable mounts,
      Predicate<Path> canOverlay)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Path path : topLevel.stream().sorted().toList()) {
      String name = path.getFileName().toString();
      if (hiddenDirectories.contains(path)) {
        parts.add(new EmptyDirectory(path)); // even if the path is a link, like /home on some hosts
      } else if (Files.isSymbolicLink(path)) {
        parts.add(new Link(path, Files.readSymbolicLink(path)));
      } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          && !KERNEL_DIRECTORIES.contains(name)) {
        parts.add(toPart(path, hiddenDirectories, mounts, canOverlay));
      }
    }
    return new HostView(List.copyOf(parts), List.copyOf(hiddenDirectories));
  }

  private static Part toPart(
      Path path, List<Path> hiddenDirectories, MountTable mounts, Predicate<Path> canOverlay) {
    boolean isNonDiskMount =
        mounts.mountOf(path).filter(mount -> mount.mountPoint().equals(path)).stream()
            .anyMatch(mount -> !mount.isOnDisk());
    if (isNonDiskMount || !Files.isReadable(path)) {
      return new EmptyDirectory(path);
    }
    List<MountTable.Mount> mountsBelow = mounts.mountsBelow(path);
    if (mountsBelow.isEmpty()
        && UNESCAPED_PATH.matcher(path.toString()).matches()
        && canOverlay.test(path)) {
      return new OverlayDirectory(path);
    }
    Set<Path> coveredDirectories = new TreeSet<>();
    for (Path directory : hiddenDirectories) {
      if (directory.startsWith(path) && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
        coveredDirectories.add(directory);
      }
    }
    Set<Path> visibleMounts = new TreeSet<>();
    for (MountTable.Mount mount : mountsBelow) {
      if (coveredDirectories.stream().anyMatch(mount.mountPoint()::startsWith)) {
        continue;
      }
      if (Files.isDirectory(mount.mountPoint()) && !mount.isOnDisk()) {
        coveredDirectories.add(mount.mountPoint());
      } else {
        visibleMounts.add(mount.mountPoint());
      }
    }
    coveredDirectories.removeIf(
        directory ->
            coveredDirectories.stream()
                .anyMatch(o -> !o.equals(directory) && directory.startsWith(o)));
    return new ReadOnlyDirectory(path, List.copyOf(coveredDirectories), List.copyOf(visibleMounts));
  }

  /** Returns the paths of the directories for which a task has an overlay. */
  Set<Path> overlayPaths() {
    return parts.stream()
        .filter(OverlayDirectory.class::isInstance)
        .map(Part::path)
        .collect(Collectors.toSet());
  }

  /** Returns the hidden directories inside a part. */
  List<Path> hiddenDirectoriesIn(Part part) {
    return hiddenDirectories.stream()
        .filter(directory -> directory.startsWith(part.path()))
        .filter(directory -> Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  boolean isHidden(Path path) {
    return hiddenDirectories.stream().anyMatch(path::startsWith);
  }
}
