package dev.trainyard.dist;

import dev.trainyard.model.AppException;
import dev.trainyard.model.ErrorCode;
import dev.trainyard.model.Message;
import java.util.Map;
import java.util.Optional;

/**
 * Which engine runs the tasks, and why it is that one. Tasks that are not over decide: another
 * engine would not find them, and would run them a second time.
 *
 * @param sure whether there is no other way, should this engine not be possible here
 */
record EngineChoice(String engine, Message reason, boolean sure) {
  static final String AUTO = "auto";
  static final String PROCESS = "process";
  static final String DOCKER = "docker";

  /**
   * @param wanted the setting
   * @param unfinished how many tasks are not over, by their engine
   * @param noDocker why there is no Docker engine here; empty if one answers
   * @throws AppException if tasks of another engine are not over
   */
  static EngineChoice of(
      String wanted, Map<String, Integer> unfinished, Optional<String> noDocker) {
    for (var tasks : unfinished.entrySet()) {
      if (wanted.equals(AUTO)) {
        return new EngineChoice(
            tasks.getKey(), Message.of("config.engine-of-tasks", "count", tasks.getValue()), true);
      }
      if (!tasks.getKey().equals(wanted)) {
        throw new AppException(
            ErrorCode.CONFLICT,
            Message.of("config.engine-changed", "wanted", wanted)
                .with("engine", tasks.getKey())
                .with("count", tasks.getValue()));
      }
    }
    if (!wanted.equals(AUTO)) {
      return new EngineChoice(wanted, Message.of("config.engine-wanted"), true);
    }
    return noDocker
        .map(
            why ->
                new EngineChoice(PROCESS, Message.of("config.engine-no-docker", "why", why), true))
        .orElse(new EngineChoice(DOCKER, Message.of("config.engine-docker-answers"), false));
  }
}
