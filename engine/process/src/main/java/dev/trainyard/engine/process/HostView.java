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
 * @param hidden host directories that appear empty to a task, at any depth
 */
record HostView(List<Part> parts, List<Path> hidden) {
  /** One entry directly below {@code /}. */
  sealed interface Part {
    Path path();
  }

  /** A symbolic link, for example {@code /bin}, which is {@code usr/bin} on most hosts. */
  record Link(Path path, Path to) implements Part {}

  /** Read from the host, with changes written to a layer of the task. */
  record Layered(Path path) implements Part {}

  /**
   * The host's directory, read-only.
   *
   * @param covered directories below it that appear empty
   * @param readOnly further mounts below it that are visible
   */
  record ReadOnly(Path path, List<Path> covered, List<Path> readOnly) implements Part {}

  /** Present, but empty and private to the task. */
  record Empty(Path path) implements Part {}

  private static final Set<String> NOT_OF_THE_MACHINE = Set.of("proc", "sys", "dev");

  /** Paths that can be used in overlay options without escaping. */
  private static final Pattern PLAIN = Pattern.compile("/[A-Za-z0-9._+-]+");

  /**
   * @param canLayer whether the kernel allows an overlay on a directory
   */
  static HostView of(
      List<Path> topLevel, List<Path> hidden, MountTable mounts, Predicate<Path> canLayer)
      throws IOException {
    List<Part> parts = new ArrayList<>();
    for (Path path : topLevel.stream().sorted().toList()) {
      String name = path.getFileName().toString();
      if (hidden.contains(path)) {
        parts.add(new Empty(path)); // also if it is a link, as /home is on some hosts
      } else if (Files.isSymbolicLink(path)) {
        parts.add(new Link(path, Files.readSymbolicLink(path)));
      } else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)
          && !NOT_OF_THE_MACHINE.contains(name)) {
        parts.add(part(path, hidden, mounts, canLayer));
      }
    }
    return new HostView(List.copyOf(parts), List.copyOf(hidden));
  }

  private static Part part(
      Path path, List<Path> hidden, MountTable mounts, Predicate<Path> canLayer) {
    boolean foreign =
        mounts.of(path).filter(mount -> mount.place().equals(path)).stream()
            .anyMatch(mount -> !mount.isOnDisk());
    if (foreign || !Files.isReadable(path)) {
      return new Empty(path);
    }
    List<MountTable.Mount> below = mounts.below(path);
    if (below.isEmpty() && PLAIN.matcher(path.toString()).matches() && canLayer.test(path)) {
      return new Layered(path);
    }
    Set<Path> covered = new TreeSet<>();
    for (Path place : hidden) {
      if (place.startsWith(path) && Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
        covered.add(place);
      }
    }
    Set<Path> shown = new TreeSet<>();
    for (MountTable.Mount mount : below) {
      if (covered.stream().anyMatch(mount.place()::startsWith)) {
        continue;
      }
      if (Files.isDirectory(mount.place()) && !mount.isOnDisk()) {
        covered.add(mount.place());
      } else {
        shown.add(mount.place());
      }
    }
    covered.removeIf(
        place -> covered.stream().anyMatch(o -> !o.equals(place) && place.startsWith(o)));
    return new ReadOnly(path, List.copyOf(covered), List.copyOf(shown));
  }

  /** Returns the directories for which a task has a layer. */
  Set<Path> layered() {
    return parts.stream()
        .filter(Layered.class::isInstance)
        .map(Part::path)
        .collect(Collectors.toSet());
  }

  /** Returns the hidden directories inside a part. */
  List<Path> hiddenIn(Part part) {
    return hidden.stream()
        .filter(place -> place.startsWith(part.path()))
        .filter(place -> Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  boolean isHidden(Path path) {
    return hidden.stream().anyMatch(path::startsWith);
  }
}
