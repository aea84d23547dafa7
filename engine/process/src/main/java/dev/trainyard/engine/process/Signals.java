package dev.trainyard.engine.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds commands that send a signal to all processes of a task at once. */
final class Signals {
  /** The processes that get a signal, and the signal. */
  enum Aim {
    /** SIGTERM to all processes, because a shell in between would not pass it on. */
    ASK,
    /** SIGKILL to all processes except the copiers of the task's output. */
    KILL,
    KILL_WITH_COPIERS
  }

  private final EngineEnvironment engineEnvironment;
  private final Path killScript;
  private final Path plainScript;

  private Signals(EngineEnvironment engineEnvironment, Path killScript, Path plainScript) {
    this.engineEnvironment = engineEnvironment;
    this.killScript = killScript;
    this.plainScript = plainScript;
  }

  static Signals of(EngineEnvironment engineEnvironment) throws IOException {
    Path bin = engineEnvironment.data().resolve("bin");
    return new Signals(
        engineEnvironment, Scripts.unpack("kill.sh", bin), Scripts.unpack("plain-signal.sh", bin));
  }

  List<String> command(TaskDirectory task, TaskDirectory.Supervisor supervisor, Aim aim) {
    Optional<List<String>> reach = engineEnvironment.sandbox().reach(supervisor);
    List<String> command = new ArrayList<>(reach.orElse(List.of()));
    command.add(engineEnvironment.tools().path("sh"));
    command.addAll(
        reach.isPresent() ? inNamespace(task, supervisor, aim) : byName(task, supervisor, aim));
    return command;
  }

  private List<String> inNamespace(
      TaskDirectory task, TaskDirectory.Supervisor supervisor, Aim aim) {
    List<String> killAll = List.of("-c", "kill -KILL -1");
    return switch (aim) {
      case ASK -> List.of("-c", "kill -TERM -1");
      case KILL ->
          supervisor.hasNoCopiers()
              ? killAll
              : List.of(
                  killScript.toString(),
                  task.processes(supervisor).toString(),
                  Integer.toString(supervisor.out()),
                  Integer.toString(supervisor.err()));
      case KILL_WITH_COPIERS -> killAll;
    };
  }

  private List<String> byName(TaskDirectory task, TaskDirectory.Supervisor supervisor, Aim aim) {
    return switch (aim) {
      case ASK -> List.of(plainScript.toString(), "TERM", task.id().toString());
      case KILL -> List.of(plainScript.toString(), "KILL", task.id().toString());
      case KILL_WITH_COPIERS -> List.of("-c", killing(supervisor.out(), supervisor.err()));
    };
  }

  /** Outside of a PID namespace, kill with a number below 2 would reach far too many processes. */
  private static String killing(int... copiers) {
    StringBuilder text = new StringBuilder(":");
    for (int copier : copiers) {
      if (copier > 1) {
        text.append("; kill -KILL ").append(copier);
      }
    }
    return text.toString();
  }
}
