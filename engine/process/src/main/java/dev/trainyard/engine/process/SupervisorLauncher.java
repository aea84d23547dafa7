package dev.trainyard.engine.process;

import dev.trainyard.engine.TaskSpec;
import dev.trainyard.engine.Volume;
import dev.trainyard.engine.linux.PidFd;
import dev.trainyard.engine.linux.Spawn;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Starts supervisors, in the same way for every sandbox; see {@code supervise.sh}. */
record SupervisorLauncher(Path script, HostTools tools) {
  private static final int BLOCK = 512;

  /**
   * How a sandbox confines the supervisor.
   *
   * @param around command prefix of the supervisor; may be empty
   * @param inside run by the supervisor; enters the task's root and finally executes {@code
   *     launch.sh}
   * @param processes where the supervisor sees the {@code /proc} of the task's PID namespace
   * @param descriptors what the supervisor needs to enter the task, unless it is inside already
   */
  record Confinement(
      List<String> around, List<String> inside, Path processes, Inside descriptors) {}

  /**
   * Descriptors that the supervisor keeps open; -1 if absent.
   *
   * @param userNamespace becomes 9
   * @param root the task's root directory; becomes 7
   * @param mountNamespace becomes 8
   */
  record Inside(int userNamespace, int root, int mountNamespace) {
    static final Inside NONE = new Inside(-1, -1, -1);
  }

  /**
   * Starts a supervisor from the calling thread, in its namespaces.
   *
   * @param go a descriptor from which the supervisor reads one line before it begins: {@code go},
   *     or {@code mount} if it has to mount {@link Confinement#processes} itself; at the end of the
   *     file it exits
   */
  PidFd start(TaskSpec spec, TaskDirectory task, List<Path> groups, Confinement confinement, int go)
      throws IOException {
    List<String> command = new ArrayList<>(confinement.around());
    command.add(tools.path("sh"));
    command.add(script.toString());
    command.addAll(numbers(spec, groups, confinement.processes()));
    command.addAll(directories(spec, groups));
    command.addAll(confinement.inside());
    return spawn(task, command, confinement, go);
  }

  static List<String> numbers(TaskSpec spec, List<Path> groups, Path processes) {
    return List.of(
        processes.toString(),
        spec.logDirectory().toString(),
        Long.toString(Math.max(1, spec.logLimit().bytes() / BLOCK)),
        Integer.toString(groups.size()),
        Long.toString(places(spec).count()));
  }

  static List<String> directories(TaskSpec spec, List<Path> groups) {
    return Stream.concat(groups.stream(), places(spec)).map(Path::toString).toList();
  }

  /** Returns the directories that the task may write to. */
  private static Stream<Path> places(TaskSpec spec) {
    return spec.volumes().stream()
        .filter(volume -> volume.access() != Volume.Access.READ_ONLY)
        .map(Volume::source);
  }

  private static PidFd spawn(
      TaskDirectory task, List<String> command, Confinement confinement, int go)
      throws IOException {
    try (Fifo out = Fifo.open(task.file("out"));
        Fifo err = Fifo.open(task.file("err"))) {
      Spawn spawn =
          Spawn.of(command)
              // The server's environment, which may contain passwords, is not passed on.
              .environment(Map.of("PATH", Spawn.TOOL_PATH, "LC_ALL", "C"))
              .directory(task.path())
              .descriptor(0, go)
              .output(2, task.file("error"))
              .descriptor(3, out.reading())
              .descriptor(4, err.reading());
      if (confinement.around().isEmpty()) {
        // A process around the supervisor lives as long as the supervisor and would keep them open.
        spawn.descriptor(5, out.writing()).descriptor(6, err.writing());
      }
      Inside descriptors = confinement.descriptors();
      if (descriptors.userNamespace() >= 0) {
        spawn.descriptor(7, descriptors.root());
        spawn.descriptor(8, descriptors.mountNamespace());
        spawn.descriptor(9, descriptors.userNamespace());
      }
      return spawn.start();
    }
  }
}
