package dev.trainyard.server.storage;

import dev.trainyard.engine.linux.FileHandle;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A directory of a tree that was found but not visited yet. It shares the names on its path with
 * its siblings, so that many directories deep in a tree need little memory.
 *
 * @param parent null for the root
 * @param name bytes of the name, as Latin-1; for the root, any name
 */
public record PendingDirectory(PendingDirectory parent, String name, int depth) {
  public static PendingDirectory root(String name) {
    return new PendingDirectory(null, name, 0);
  }

  public PendingDirectory child(String childName) {
    return new PendingDirectory(this, childName, depth + 1);
  }

  /** Opens this directory from the root, name by name, without following links. */
  public FileHandle open(FileHandle root) throws IOException {
    FileHandle handle = root.child(".");
    for (String pathName : pathNames()) {
      try (FileHandle parentHandle = handle) {
        handle = parentHandle.child(pathName);
      }
    }
    return handle;
  }

  private Deque<String> pathNames() {
    Deque<String> names = new ArrayDeque<>();
    for (PendingDirectory ancestor = this; ancestor.parent != null; ancestor = ancestor.parent) {
      names.push(ancestor.name);
    }
    return names;
  }

  /** Returns the path of this directory, which begins with the name of the root. */
  public String path() {
    Deque<String> names = pathNames();
    PendingDirectory top = this;
    while (top.parent != null) {
      top = top.parent;
    }
    names.push(top.name);
    return String.join("/", names);
  }
}
