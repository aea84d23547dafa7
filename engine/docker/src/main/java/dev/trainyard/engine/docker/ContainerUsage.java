package dev.trainyard.engine.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import dev.trainyard.engine.Usage;
import dev.trainyard.engine.linux.ControlGroupUsage;
import dev.trainyard.model.DataSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Resource usage of a container, read from the control groups of its first process, because the
 * engine itself would take a second to respond.
 */
final class ContainerUsage {
  private static final Path CONTROL_GROUPS = Path.of("/sys/fs/cgroup");

  private ContainerUsage() {}

  static Optional<Usage> of(ContainerState state) {
    if (!Boolean.TRUE.equals(state.getRunning()) || state.getPidLong() == null) {
      return Optional.empty();
    }
    List<Path> groups = controlGroups(state.getPidLong());
    return ControlGroupUsage.memory(groups)
        .map(
            memory ->
                new Usage(
                    ControlGroupUsage.cpuTime(groups).orElse(Duration.ZERO),
                    new DataSize(Math.max(1, memory.bytes())),
                    ControlGroupUsage.processes(groups).orElse(1)));
  }

  /**
   * Returns the control groups of a process. The lines of {@code /proc/<pid>/cgroup} have the form
   * {@code number:controllers:path}; in version 2 the controllers are empty.
   */
  private static List<Path> controlGroups(long pid) {
    List<Path> directories = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "cgroup"))) {
        String[] fields = line.split(":", 3);
        String path = fields[2].replaceFirst("^/", "");
        if (fields[1].isEmpty()) {
          directories.add(CONTROL_GROUPS.resolve(path));
        } else {
          for (String controller : List.of(fields[1].split(","))) {
            directories.add(CONTROL_GROUPS.resolve(controller).resolve(path));
          }
        }
      }
    } catch (IOException e) {
      return List.of(); // because the container has ended
    }
    return directories;
  }
}
