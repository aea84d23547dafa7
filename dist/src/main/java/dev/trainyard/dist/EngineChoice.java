package dev.trainyard.dist;

import dev.trainyard.engine.docker.DockerConnection;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The engine that runs the tasks, with the reason for the choice. Unfinished tasks determine the
 * engine: another engine would not find them and would run them a second time.
 *
 * @param sure whether the server must not fall back to another engine if this one cannot be used
 */
record EngineChoice(String engine, Message reason, boolean sure) {
  static final String AUTO = "auto";
  static final String PROCESS = "process";
  static final String DOCKER = DockerConnection.DOCKER;
  static final String PODMAN = DockerConnection.PODMAN;

  /** A container engine that responds, with the path of its socket. */
  record Answer(String engine, String socket) {}

  /**
   * Returns the names of the acceptable container engines; empty if none is needed.
   *
   * @param wanted value of the setting {@code engine}
   * @param unfinished number of unfinished tasks by engine
   * @throws AppException if another engine has unfinished tasks
   */
  static Set<String> sought(String wanted, Map<String, Integer> unfinished) {
    Optional<String> bound = bound(wanted, unfinished);
    return switch (bound.orElse(wanted)) {
      case DOCKER -> bound.isPresent() ? Set.of(DOCKER) : Set.of(DOCKER, PODMAN);
      case PODMAN -> Set.of(PODMAN);
      case AUTO -> Set.of(DOCKER, PODMAN);
      default -> Set.of();
    };
  }

  /** Returns the engine of the unfinished tasks, if there are any. */
  private static Optional<String> bound(String wanted, Map<String, Integer> unfinished) {
    for (var tasks : unfinished.entrySet()) {
      if (wanted.equals(AUTO)) {
        return Optional.of(tasks.getKey());
      }
      if (!allows(wanted, tasks.getKey())) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("config.engine-changed", "wanted", wanted)
                .with("engine", tasks.getKey())
                .with("count", tasks.getValue()));
      }
    }
    return unfinished.keySet().stream().findFirst();
  }

  /** The setting {@code docker} also allows Podman, which implements the same API. */
  private static boolean allows(String wanted, String engine) {
    return wanted.equals(engine) || (wanted.equals(DOCKER) && engine.equals(PODMAN));
  }

  /**
   * Chooses the engine.
   *
   * @param answer the acceptable container engine that responds, if any
   * @param why why the sockets that were tried first are not used
   * @throws AppException if another engine has unfinished tasks
   */
  static EngineChoice of(
      String wanted,
      Map<String, Integer> unfinished,
      Optional<Answer> answer,
      Optional<Message> why) {
    Optional<String> bound = bound(wanted, unfinished);
    if (bound.isPresent()) {
      Message tasks = Message.of("config.engine-of-tasks", "count", unfinished.get(bound.get()));
      return new EngineChoice(
          bound.get(), wanted.equals(AUTO) ? tasks : Message.of("config.engine-wanted"), true);
    }
    if (wanted.equals(AUTO)) {
      return answer
          .map(found -> new EngineChoice(found.engine(), answers(found, why), false))
          .orElseGet(() -> new EngineChoice(PROCESS, why.orElseThrow(), true));
    }
    String engine = answer.map(Answer::engine).filter(it -> allows(wanted, it)).orElse(wanted);
    return new EngineChoice(engine, Message.of("config.engine-wanted"), true);
  }

  private static Message answers(Answer found, Optional<Message> why) {
    Message answers =
        Message.of("config.engine-answers", "engine", title(found.engine()))
            .with("socket", found.socket());
    return why.map(other -> Message.of("config.engine-and", "first", answers).with("next", other))
        .orElse(answers);
  }

  /** Returns the product name of an engine. */
  static String title(String engine) {
    return switch (engine) {
      case DOCKER -> "Docker";
      case PODMAN -> "Podman";
      default -> engine;
    };
  }
}
