package dev.trainyard.dist;

import dev.trainyard.engine.docker.DockerConnection;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The engine that runs the tasks, with the reason for the choice. Unfinished tasks determine the
 * engine, because another engine would not find these tasks and would run them a second time.
 *
 * @param isFixed whether the server must not fall back to another engine if this one cannot be used
 */
record EngineChoice(String engine, Message reason, boolean isFixed) {
  static final String AUTO = "auto";
  static final String PROCESS = "process";
  static final String DOCKER = DockerConnection.DOCKER;
  static final String PODMAN = DockerConnection.PODMAN;

  /** A container engine that responds, with the path of its socket. */
  record ContainerEngine(String engine, String socket) {}

  /**
   * Returns the names of the acceptable container engines; empty if none is needed.
   *
   * @param setting value of the setting {@code engine}
   * @param unfinished number of unfinished tasks by engine
   * @throws AppException if another engine has unfinished tasks
   */
  static Set<String> acceptableEngines(String setting, Map<String, Integer> unfinished) {
    Optional<String> requiredEngine = requiredEngine(setting, unfinished);
    return switch (requiredEngine.orElse(setting)) {
      case DOCKER -> requiredEngine.isPresent() ? Set.of(DOCKER) : Set.of(DOCKER, PODMAN);
      case PODMAN -> Set.of(PODMAN);
      case AUTO -> Set.of(DOCKER, PODMAN);
      default -> Set.of();
    };
  }

  /** Returns the engine of the unfinished tasks, if there are any. */
  private static Optional<String> requiredEngine(String setting, Map<String, Integer> unfinished) {
    for (var tasks : unfinished.entrySet()) {
      if (setting.equals(AUTO)) {
        return Optional.of(tasks.getKey());
      }
      if (!allows(setting, tasks.getKey())) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("config.engine-changed", "wanted", setting)
                .with("engine", tasks.getKey())
                .with("count", tasks.getValue()));
      }
    }
    return unfinished.keySet().stream().findFirst();
  }

  /**
   * Returns whether a setting allows an engine. The setting {@code docker} also allows Podman,
   * which implements the same API.
   */
  private static boolean allows(String setting, String engine) {
    return setting.equals(engine) || (setting.equals(DOCKER) && engine.equals(PODMAN));
  }

  /**
   * Chooses the engine.
   *
   * @param containerEngine the acceptable container engine that responds, if any
   * @param socketProblem reason why the sockets that were tried first are not used
   * @throws AppException if another engine has unfinished tasks
   */
  static EngineChoice of(
      String setting,
      Map<String, Integer> unfinished,
      Optional<ContainerEngine> containerEngine,
      Optional<Message> socketProblem) {
    Optional<String> requiredEngine = requiredEngine(setting, unfinished);
    if (requiredEngine.isPresent()) {
      Message tasksReason =
          Message.of("config.engine-of-tasks", "count", unfinished.get(requiredEngine.get()));
      return new EngineChoice(
          requiredEngine.get(),
          setting.equals(AUTO) ? tasksReason : Message.of("config.engine-wanted"),
          true);
    }
    if (setting.equals(AUTO)) {
      return containerEngine
          .map(
              engine ->
                  new EngineChoice(engine.engine(), respondingReason(engine, socketProblem), false))
          .orElseGet(() -> new EngineChoice(PROCESS, socketProblem.orElseThrow(), true));
    }
    String engine =
        containerEngine
            .map(ContainerEngine::engine)
            .filter(it -> allows(setting, it))
            .orElse(setting);
    return new EngineChoice(engine, Message.of("config.engine-wanted"), true);
  }

  private static Message respondingReason(
      ContainerEngine containerEngine, Optional<Message> socketProblem) {
    Message reason =
        Message.of("config.engine-answers", "engine", productName(containerEngine.engine()))
            .with("socket", containerEngine.socket());
    return socketProblem
        .map(problem -> Message.of("config.engine-and", "first", reason).with("next", problem))
        .orElse(reason);
  }

  /** Returns the parts of a reason, which may be composed of several reasons. */
  static List<Message> parts(Message reason) {
    return reason.code().equals("config.engine-and")
        ? Stream.of("first", "next")
            .flatMap(name -> parts((Message) reason.params().get(name)).stream())
            .toList()
        : List.of(reason);
  }

  /** Returns the product name of an engine. */
  static String productName(String engine) {
    return switch (engine) {
      case DOCKER -> "Docker";
      case PODMAN -> "Podman";
      default -> engine;
    };
  }
}
