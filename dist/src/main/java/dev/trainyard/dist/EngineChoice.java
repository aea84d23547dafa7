package dev.trainyard.dist;

import dev.trainyard.engine.docker.DockerConnection;
import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which engine runs the tasks, and why it is that one. Tasks that are not over decide: another
 * engine would not find them, and would run them a second time.
 *
 * @param sure whether there is no other way, should this engine not be possible here
 */
record EngineChoice(String engine, Message reason, boolean sure) {
  static final String AUTO = "auto";
  static final String PROCESS = "process";
  static final String DOCKER = DockerConnection.DOCKER;
  static final String PODMAN = DockerConnection.PODMAN;

  /** An engine for containers that answers, and where. */
  record Answer(String engine, String socket) {}

  /**
   * The engines for containers that will do; empty if none is needed.
   *
   * @param wanted the setting
   * @param unfinished how many tasks are not over, by their engine
   * @throws AppException if tasks of another engine are not over
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

  /** The engine of the tasks that are not over, if there are any. */
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

  /** Who names Docker is content with what speaks its language. */
  private static boolean allows(String wanted, String engine) {
    return wanted.equals(engine) || (wanted.equals(DOCKER) && engine.equals(PODMAN));
  }

  /**
   * @param answer of the engines that are sought
   * @param why what was looked at before is not it
   * @throws AppException if tasks of another engine are not over
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

  /** As people write it. */
  static String title(String engine) {
    return switch (engine) {
      case DOCKER -> "Docker";
      case PODMAN -> "Podman";
      default -> engine;
    };
  }
}
