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
 * Resolves a path inside a task's root that does not exist yet. Links are followed as the task
 * would follow them, so that none leads to a host file of the same name.
 */
final class InsidePath {
  private static final int MOST_LINKS = 40;

  private final UserRoot root;

  InsidePath(UserRoot root) {
    this.root = root;
  }

  /**
   * Returns the path without links.
   *
   * @throws IOException if a link on the way is dangling
   */
  Path resolve(String target) throws IOException {
    Deque<String> rest = new ArrayDeque<>();
    push(rest, Path.of(target));
    List<String> names = new ArrayList<>();
    int links = 0;
    boolean throughLink = false;
    while (!rest.isEmpty()) {
      String name = rest.pop();
      if (name.equals("..")) {
        if (!names.isEmpty()) {
          names.removeLast();
        }
        continue;
      }
      names.add(name);
      Path here = path(names);
      Optional<Path> seen = root.behind(here);
      if (seen.isPresent() && Files.isSymbolicLink(seen.get())) {
        if (++links > MOST_LINKS) {
          throw new IOException(target + ": too many links");
        }
        Path to = Files.readSymbolicLink(seen.get());
        names.removeLast();
        if (to.isAbsolute()) {
          names.clear();
        }
        push(rest, to);
        // Only the target of the link itself has to exist, not what the job creates below it.
        throughLink = true;
        requireThere(target, names, to);
      } else if (seen.isPresent() && !Files.isDirectory(seen.get(), LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException(target + ": " + here + " is not a directory");
      }
    }
    Path found = path(names);
    if (throughLink && found.equals(Path.of("/"))) {
      throw new IOException(target + " resolves to the root directory");
    }
    return found;
  }

  private void requireThere(String target, List<String> names, Path to) throws IOException {
    Path place = path(names).resolve(to).normalize();
    if (root.behind(place).isEmpty()) {
      throw new IOException(target + " resolves to " + place + ", which does not exist");
    }
  }

  private static void push(Deque<String> rest, Path path) {
    for (int i = path.getNameCount() - 1; i >= 0; i--) {
      String name = path.getName(i).toString();
      if (!name.isEmpty() && !name.equals(".")) {
        rest.push(name);
      }
    }
  }

  private static Path path(List<String> names) {
    return Path.of("/", names.toArray(String[]::new));
  }
}
