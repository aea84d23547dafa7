package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Resolves a path inside a task's root before the root is mounted. Symbolic links are followed as
 * the task would follow them, so that no link leads to a host file of the same name.
 */
final class TaskPathResolver {
  private static final int MAX_LINKS = 40;

  private final UserRoot root;

  TaskPathResolver(UserRoot root) {
    this.root = root;
  }

  /**
   * Returns the path without links.
   *
   * @throws IOException if the path cannot be a mount point, for example because a link is dangling
   */
  Path resolve(String target) throws IOException {
    Deque<String> remainingNames = new ArrayDeque<>();
    push(remainingNames, Path.of(target));
    List<String> names = new ArrayList<>();
    int links = 0;
    boolean throughLink = false;
    while (!remainingNames.isEmpty()) {
      String name = remainingNames.pop();
      if (name.equals("..")) {
        if (!names.isEmpty()) {
          names.removeLast();
        }
        continue;
      }
      names.add(name);
      Path current = path(names);
      Optional<Path> visibleFile = root.locate(current);
      if (visibleFile.isPresent() && Files.isSymbolicLink(visibleFile.get())) {
        if (++links > MAX_LINKS) {
          throw new IOException(target + ": too many links");
        }
        Path linkTarget = Files.readSymbolicLink(visibleFile.get());
        names.removeLast();
        if (linkTarget.isAbsolute()) {
          names.clear();
        }
        push(remainingNames, linkTarget);
        // The target of the link has to exist, but not the directories below it.
        throughLink = true;
        requireExists(target, names, linkTarget);
      } else if (visibleFile.isPresent()
          && !Files.isDirectory(visibleFile.get(), LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(target + ": " + current + " is not a directory");
      }
    }
    Path resolved = path(names);
    if (throughLink && resolved.equals(Path.of("/"))) {
      throw new IOException(target + " resolves to the root directory");
    }
    return resolved;
  }

  private void requireExists(String target, List<String> names, Path linkTarget)
      throws IOException {
    Path path = path(names).resolve(linkTarget).normalize();
    if (root.locate(path).isEmpty()) {
      throw new IOException(target + " resolves to " + path + ", which does not exist");
    }
  }

  private static void push(Deque<String> remainingNames, Path path) {
    for (int i = path.getNameCount() - 1; i >= 0; i--) {
      String name = path.getName(i).toString();
      if (!name.isEmpty() && !name.equals(".")) {
        remainingNames.push(name);
      }
    }
  }

  private static Path path(List<String> names) {
    return Path.of("/", names.toArray(String[]::new));
  }
}
