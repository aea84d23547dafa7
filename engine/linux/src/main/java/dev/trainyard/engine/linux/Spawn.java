package dev.trainyard.engine.linux;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Starts a program from the calling thread, so that it runs in that thread's namespaces, in a new
 * session and with default signal handling. The program gets only the descriptors and the
 * environment that are specified here. Not thread-safe.
 */
public final class Spawn {
  /** Directories of system tools; the server's own PATH is not trusted. */
  public static final String TOOL_PATH =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private static final int READ_ONLY = 0;
  private static final int WRITE_ONLY = 1;

  private final List<String> command;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<Redirect> redirects = new ArrayList<>();
  private Path directory = Path.of("/");

  /** Source of a descriptor of the new program: a descriptor of the server, or a file. */
  private record Redirect(int target, int source, String file, int flags) {}

  private Spawn(List<String> command) {
    this.command = List.copyOf(command);
  }

  /**
   * Creates a specification. The program must be an absolute path, because it is not searched for
   * in PATH. The standard streams are empty unless they are redirected.
   */
  public static Spawn of(List<String> command) {
    return new Spawn(command);
  }

  public Spawn environment(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  public Spawn directory(Path path) {
    directory = path;
    return this;
  }

  /** Passes the server's descriptor {@code source} to the program as descriptor {@code target}. */
  public Spawn descriptor(int target, int source) {
    redirects.add(new Redirect(target, source, "", 0));
    return this;
  }

  /** Redirects input from an existing file. */
  public Spawn input(int target, Path file) {
    redirects.add(new Redirect(target, -1, file.toString(), READ_ONLY));
    return this;
  }

  /** Redirects output to the beginning of an existing file. */
  public Spawn output(int target, Path file) {
    redirects.add(new Redirect(target, -1, file.toString(), WRITE_ONLY));
    return this;
  }

  /** Starts the program. */
  public PidFd start() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      try (SpawnActions actions = new SpawnActions(arena)) {
        addActions(actions);
        return PidFd.of(
            actions.spawn(
                command.getFirst(),
                stringArray(arena, command),
                stringArray(
                    arena,
                    environment.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList())));
      }
    }
  }

  private void addActions(SpawnActions actions) throws IOException {
    actions.changeDirectory(directory.toString());
    Path devNull = Path.of("/dev/null");
    List<Redirect> allRedirects = new ArrayList<>();
    allRedirects.add(new Redirect(0, -1, devNull.toString(), READ_ONLY));
    allRedirects.add(new Redirect(1, -1, devNull.toString(), WRITE_ONLY));
    allRedirects.add(new Redirect(2, -1, devNull.toString(), WRITE_ONLY));
    allRedirects.removeIf(
        standard -> redirects.stream().anyMatch(r -> r.target() == standard.target()));
    allRedirects.addAll(redirects);
    int highestTarget = allRedirects.stream().mapToInt(Redirect::target).max().orElse(2);
    // Moves the server's descriptors away from the target numbers first; otherwise a redirect could
    // overwrite a descriptor that a later redirect uses.
    int firstUnusedNumber =
        Math.max(highestTarget, allRedirects.stream().mapToInt(Redirect::source).max().orElse(0))
            + 1;
    for (int i = 0; i < allRedirects.size(); i++) {
      if (allRedirects.get(i).source() >= 0) {
        actions.duplicate(allRedirects.get(i).source(), firstUnusedNumber + i);
      }
    }
    for (int i = 0; i < allRedirects.size(); i++) {
      Redirect redirect = allRedirects.get(i);
      if (redirect.source() >= 0) {
        actions.duplicate(firstUnusedNumber + i, redirect.target());
      } else {
        actions.open(redirect.target(), redirect.file(), redirect.flags());
      }
    }
    for (int target = 3; target <= highestTarget; target++) {
      int descriptor = target;
      if (allRedirects.stream().noneMatch(redirect -> redirect.target() == descriptor)) {
        actions.close(descriptor);
      }
    }
    actions.closeFrom(highestTarget + 1);
  }

  private static MemorySegment stringArray(Arena arena, List<String> strings) {
    MemorySegment array = arena.allocate(ValueLayout.ADDRESS, strings.size() + 1L);
    for (int i = 0; i < strings.size(); i++) {
      array.setAtIndex(ValueLayout.ADDRESS, i, arena.allocateFrom(strings.get(i)));
    }
    array.setAtIndex(ValueLayout.ADDRESS, strings.size(), MemorySegment.NULL);
    return array;
  }
}
