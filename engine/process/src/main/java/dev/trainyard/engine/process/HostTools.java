package dev.trainyard.engine.process;

import dev.trainyard.engine.linux.Spawn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The host programs in use, by absolute path, so that no PATH lookup happens in privileged code.
 */
record HostTools(Map<String, Path> paths) {
  static final String SUPERVISOR_PROPERTY = "trainyard.supervisor";

  private static final List<String> REQUIRED_TOOLS =
      List.of(
          "unshare",
          "nsenter",
          "setpriv",
          "env",
          "cat",
          "head",
          "tail",
          "sleep",
          "stat",
          "sh",
          "mount",
          "umount",
          "pivot_root");

  static HostTools find() throws IOException {
    Map<String, Path> paths = new LinkedHashMap<>();
    for (String tool : REQUIRED_TOOLS) {
      Path path =
          List.of(Spawn.TOOL_PATH.split(":")).stream()
              .map(directory -> Path.of(directory, tool))
              .filter(Files::isExecutable)
              .findFirst()
              .orElseThrow(
                  () ->
                      new IOException(
                          "the program " + tool + " is missing (util-linux, coreutils)"));
      paths.put(tool, path);
    }
    return new HostTools(Map.copyOf(paths));
  }

  /**
   * Returns the path of the system's perl. Empty if perl is not installed, as in small
   * distributions, or if the system property {@value #SUPERVISOR_PROPERTY} is {@code shell}.
   */
  static Optional<String> perl() {
    return "shell".equals(System.getProperty(SUPERVISOR_PROPERTY))
        ? Optional.empty()
        : Stream.of("/usr/bin/perl", "/bin/perl")
            .filter(path -> Files.isExecutable(Path.of(path)))
            .findFirst();
  }

  String path(String tool) {
    return paths.get(tool).toString();
  }
}
