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
  private static final int BLOCK_SIZE = 512;

  /**
   * Commands and descriptors with which a sandbox starts a supervisor and its task.
   *
   * @param prefix command prefix of the supervisor; may be empty
   * @param taskCommand command that the supervisor runs; it enters the task's root and finally
   *     executes {@code launch.sh}
   * @param procDirectory path at which the supervisor sees the {@code /proc} of the task's PID
   *     namespace
   * @param descriptors descriptors with which the supervisor enters the task's namespaces, unless
   *     the supervisor runs in these namespaces already
   */
  record Confinement(
      List<String> prefix,
      List<String> taskCommand,
      Path procDirectory,
      TaskDescriptors descriptors) {}

  /**
   * Descriptors that the supervisor keeps open; -1 if absent.
   *
   * @param userNamespace the task's user namespace, passed as descriptor 9
   * @param root the task's root directory, passed as descriptor 7
   * @param mountNamespace the task's mount namespace, passed as descriptor 8
   */
  record TaskDescriptors(int userNamespace, int root, int mountNamespace) {
    static final TaskDescriptors NONE = new TaskDescriptors(-1, -1, -1);
  }

  /**
   * Starts a supervisor in the namespaces of the calling thread.
   *
   * @param goDescriptor descriptor from which the supervisor reads one line before it begins:
   *     {@code go}, or {@code mount} if it has to mount {@link Confinement#procDirectory} itself.
   *     If the pipe is closed before that, the supervisor exits
   */
  PidFd start(
      TaskSpec spec,
      TaskDirectory task,
      List<Path> groups,
      Confinement confinement,
      int goDescriptor)
      throws IOException {
    List<String> command = new ArrayList<>(confinement.prefix());
    command.add(tools.path("sh"));
    command.add(script.toString());
    command.addAll(fixedArguments(spec, groups, confinement.procDirectory()));
    command.addAll(directoryArguments(spec, groups));
    command.addAll(confinement.taskCommand());
    return spawn(task, command, confinement, goDescriptor);
  }

  static List<String> fixedArguments(TaskSpec spec, List<Path> groups, Path procDirectory) {
    return List.of(
        procDirectory.toString(),
        spec.logDirectory().toString(),
        Long.toString(Math.max(1, spec.logLimit().bytes() / BLOCK_SIZE)),
        Integer.toString(groups.size()),
        Long.toString(writableDirectories(spec).count()));
  }

  static List<String> directoryArguments(TaskSpec spec, List<Path> groups) {
    return Stream.concat(groups.stream(), writableDirectories(spec)).map(Path::toString).toList();
  }

  /** Returns the directories that the task may write to. */
  private static Stream<Path> writableDirectories(TaskSpec spec) {
    return spec.volumes().stream()
        .filter(volume -> volume.access() != Volume.Access.READ_ONLY)
        .map(Volume::source);
  }

  private static PidFd spawn(
      TaskDirectory task, List<String> command, Confinement confinement, int goDescriptor)
      throws IOException {
    try (Fifo out = Fifo.open(task.file("out"));
        Fifo err = Fifo.open(task.file("err"))) {
      Spawn spawn =
          Spawn.of(command)
              // The server's environment, which may contain passwords, is not passed on.
              .environment(Map.of("PATH", Spawn.TOOL_PATH, "LC_ALL", "C"))
              .directory(task.path())
              .descriptor(0, goDescriptor)
              .output(2, task.file("error"))
              .descriptor(3, out.readEnd())
              .descriptor(4, err.readEnd());
      if (confinement.prefix().isEmpty()) {
        // With a prefix, the process of the prefix runs as long as the supervisor and would keep
        // the write ends open.
        spawn.descriptor(5, out.writeEnd()).descriptor(6, err.writeEnd());
      }
      TaskDescriptors descriptors = confinement.descriptors();
      if (descriptors.userNamespace() >= 0) {
        spawn.descriptor(7, descriptors.root());
        spawn.descriptor(8, descriptors.mountNamespace());
        spawn.descriptor(9, descriptors.userNamespace());
      }
      return spawn.start();
    }
  }
}
