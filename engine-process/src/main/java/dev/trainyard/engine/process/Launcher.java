package dev.trainyard.engine.process;

import dev.trainyard.engine.TaskSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Starts a task's supervisor. Namespaces belong to threads: a fresh thread leaves those of the
 * server, makes the task's root in its own, and the supervisor it starts is born into them.
 */
final class Launcher {
  private static final int BLOCK = 512;

  private final Path supervisor;
  private final HostTools tools;
  private final UserNamespaces userNamespaces;
  private final List<Path> fileSystems;

  Launcher(
      Path supervisor, HostTools tools, UserNamespaces userNamespaces, List<Path> fileSystems) {
    this.supervisor = supervisor;
    this.tools = tools;
    this.userNamespaces = userNamespaces;
    this.fileSystems = fileSystems;
  }

  /**
   * The running supervisor.
   *
   * @param groups directories of the task's control groups
   */
  Process launch(TaskSpec spec, TaskDirectory task, List<Path> groups) throws IOException {
    IdRange ids = IdRange.of(spec.idRange());
    List<MountStep> plan = RootPlan.of(spec, fileSystems, task.platform());
    return inOwnThread(
        () -> {
          int userNamespace = userNamespaces.of(ids);
          enterNamespaces(spec.hostName());
          try (RootBuilder builder = new RootBuilder(task, ids, userNamespace)) {
            builder.build(plan);
          }
          return start(spec, task, groups, userNamespace);
        });
  }

  /** Finds out whether this machine can do it, without starting anything. */
  void tryOut(TaskDirectory task) throws IOException {
    inOwnThread(
        () -> {
          int userNamespace = userNamespaces.of(IdRange.spare());
          enterNamespaces("probe");
          try (RootBuilder builder = new RootBuilder(task, IdRange.spare(), userNamespace)) {
            builder.build(RootPlan.views(fileSystems));
          }
          return task;
        });
  }

  private static void enterNamespaces(String hostName) throws IOException {
    Linux.unshare(Linux.NEW_MOUNTS | Linux.NEW_HOST_NAME | Linux.NEW_IPC);
    Mounts.makeAllPrivate();
    Linux.joinNewKeyring();
    Linux.hostName(hostName);
  }

  private Process start(TaskSpec spec, TaskDirectory task, List<Path> groups, int userNamespace)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(tools.path("setsid"));
    command.add(tools.path("sh"));
    command.add(supervisor.toString());
    command.add(task.path().toString());
    command.add(task.end().toString());
    command.add(task.root().toString());
    command.add(spec.logDirectory().toString());
    command.add(Long.toString(Math.max(1, spec.logLimit().bytes() / BLOCK)));
    command.add(spec.workingDirectory().isEmpty() ? "/" : spec.workingDirectory());
    for (String tool : List.of("setpriv", "unshare", "nsenter", "sh")) {
      command.add(tools.path(tool));
    }
    groups.forEach(group -> command.add(group.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    // Whatever the server was started with, passwords among it, stays with the server.
    builder.environment().clear();
    builder.environment().put("PATH", Scripts.TOOL_PATH);
    return builder
        .directory(task.path().toFile())
        .redirectInput(Path.of("/proc/self/fd/" + userNamespace).toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(task.file("supervisor.log").toFile())
        .start();
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  private static <T> T inOwnThread(Work<T> work) throws IOException {
    FutureTask<T> future = new FutureTask<>(work::run);
    Thread.ofPlatform().name("launch").daemon().start(future);
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while starting a task", e);
    }
  }
}
