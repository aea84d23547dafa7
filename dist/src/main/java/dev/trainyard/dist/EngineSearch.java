package dev.trainyard.dist;

import dev.trainyard.engine.EngineException;
import dev.trainyard.engine.docker.DockerConnection;
import dev.trainyard.model.Message;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Result of the search for a container engine that responds and can be used.
 *
 * @param connection connection to the first such engine; empty if there is none or if no container
 *     engine is needed
 * @param problem reason why the sockets that were tried first cannot be used; empty if the first
 *     socket can be used
 */
record EngineSearch(Optional<DockerConnection> connection, Optional<Message> problem) {
  static final EngineSearch NOT_NEEDED = new EngineSearch(Optional.empty(), Optional.empty());

  /**
   * Tries the sockets in their order until an engine responds and can be used.
   *
   * @param sockets paths of the sockets, at least one
   * @param acceptableEngines names of the acceptable engines
   */
  static EngineSearch tryAll(List<Path> sockets, Set<String> acceptableEngines) {
    List<Message> problems = new ArrayList<>();
    for (Path socket : sockets) {
      // Checked first because loading the Docker client library is slow.
      if (!Files.exists(socket)) {
        continue;
      }
      try {
        DockerConnection connection = DockerConnection.open(socket);
        Optional<Message> problem = findProblem(connection, acceptableEngines);
        if (problem.isEmpty()) {
          return new EngineSearch(Optional.of(connection), join(problems));
        }
        connection.close();
        problems.add(problem.get());
      } catch (EngineException e) {
        problems.add(Message.of("config.engine-no-answer", "why", e.getMessage()));
      }
    }
    if (problems.isEmpty()) {
      problems.add(Message.of("config.engine-no-socket", "socket", sockets.getFirst().toString()));
    }
    return new EngineSearch(Optional.empty(), join(problems));
  }

  private static Optional<Message> findProblem(
      DockerConnection connection, Set<String> acceptableEngines) {
    Optional<String> code = Optional.empty();
    if (!acceptableEngines.contains(connection.engine())) {
      code = Optional.of("config.engine-not-sought");
    } else if (connection.remapsUserIds()) {
      code = Optional.of("config.engine-moves-ids");
    }
    return code.map(
            text -> Message.of(text, "engine", EngineChoice.productName(connection.engine())))
        .map(message -> message.with("socket", connection.socket().toString()));
  }

  private static Optional<Message> join(List<Message> problems) {
    return problems.stream()
        .reduce(
            (first, next) -> Message.of("config.engine-and", "first", first).with("next", next));
  }
}
