package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds commands that send a signal to all processes of a task at once. */
final class Signals {
  /** A signal and the processes that receive it. */
  enum SignalKind {
    /** Sends SIGTERM to all processes, because a shell does not forward it to its children. */
    TERMINATE,
    /** Sends SIGKILL to all processes except the copiers of the task's output. */
    KILL,
    /** Sends SIGKILL to all processes, or only to the copiers if there is no PID namespace. */
    KILL_WITH_COPIERS
  }

  private final EngineEnvironment engineEnvironment;
  private final Path killScript;
  private final Path noNamespaceScript;

  private Signals(EngineEnvironment engineEnvironment, Path killScript, Path noNamespaceScript) {
    this.engineEnvironment = engineEnvironment;
    this.killScript = killScript;
    this.noNamespaceScript = noNamespaceScript;
  }

  static Signals of(EngineEnvironment engineEnvironment) throws IOException {
    Path bin = engineEnvironment.data().resolve("bin");
    return new Signals(
        engineEnvironment, Scripts.unpack("kill.sh", bin), Scripts.unpack("plain-signal.sh", bin));
  }

  List<String> command(TaskDirectory task, TaskDirectory.Supervisor supervisor, SignalKind kind) {
    Optional<List<String>> namespacePrefix =
        engineEnvironment.sandbox().pidNamespacePrefix(supervisor);
    List<String> command = new ArrayList<>(namespacePrefix.orElse(List.of()));
    command.add(engineEnvironment.tools().path("sh"));
    command.addAll(
        namespacePrefix.isPresent()
            ? argumentsInNamespace(task, supervisor, kind)
            : argumentsByTaskId(task, supervisor, kind));
    return command;
  }

  private List<String> argumentsInNamespace(
      TaskDirectory task, TaskDirectory.Supervisor supervisor, SignalKind kind) {
    List<String> killAll = List.of("-c", "kill -KILL -1");
    return switch (kind) {
      case TERMINATE -> List.of("-c", "kill -TERM -1");
      case KILL ->
          supervisor.hasNoCopiers()
              ? killAll
              : List.of(
                  killScript.toString(),
                  task.procDirectory(supervisor).toString(),
                  Integer.toString(supervisor.stdoutCopier()),
                  Integer.toString(supervisor.stderrCopier()));
      case KILL_WITH_COPIERS -> killAll;
    };
  }

  private List<String> argumentsByTaskId(
      TaskDirectory task, TaskDirectory.Supervisor supervisor, SignalKind kind) {
    return switch (kind) {
      case TERMINATE -> List.of(noNamespaceScript.toString(), "TERM", task.id().toString());
      case KILL -> List.of(noNamespaceScript.toString(), "KILL", task.id().toString());
      case KILL_WITH_COPIERS ->
          List.of("-c", killCommand(supervisor.stdoutCopier(), supervisor.stderrCopier()));
    };
  }

  /**
   * Returns a shell command that kills the copiers. It omits numbers below 2, with which kill would
   * signal many other processes.
   */
  private static String killCommand(int... copiers) {
    StringBuilder text = new StringBuilder(":");
    for (int copier : copiers) {
      if (copier > 1) {
        text.append("; kill -KILL ").append(copier);
      }
    }
    return text.toString();
  }
}
