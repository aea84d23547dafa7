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
 * @param found the first such engine; empty if there is none or none is needed
 * @param why why the sockets that were tried first cannot be used; empty if there were none
 */
record EngineSearch(Optional<DockerConnection> found, Optional<Message> why) {
  static final EngineSearch NOT_NEEDED = new EngineSearch(Optional.empty(), Optional.empty());

  /**
   * Tries the sockets in their order.
   *
   * @param sockets paths of the sockets, at least one
   * @param sought names of the acceptable engines
   */
  static EngineSearch among(List<Path> sockets, Set<String> sought) {
    List<Message> problems = new ArrayList<>();
    for (Path socket : sockets) {
      // Checked first, because loading the Docker client library is slow.
      if (!Files.exists(socket)) {
        continue;
      }
      try {
        DockerConnection connection = DockerConnection.open(socket);
        Optional<Message> unfit = unfit(connection, sought);
        if (unfit.isEmpty()) {
          return new EngineSearch(Optional.of(connection), joined(problems));
        }
        connection.close();
        problems.add(unfit.get());
      } catch (EngineException e) {
        problems.add(Message.of("config.engine-no-answer", "why", e.getMessage()));
      }
    }
    if (problems.isEmpty()) {
      problems.add(Message.of("config.engine-no-socket", "socket", sockets.getFirst().toString()));
    }
    return new EngineSearch(Optional.empty(), joined(problems));
  }

  private static Optional<Message> unfit(DockerConnection connection, Set<String> sought) {
    Optional<String> code = Optional.empty();
    if (!sought.contains(connection.engine())) {
      code = Optional.of("config.engine-not-sought");
    } else if (connection.movesIds()) {
      code = Optional.of("config.engine-moves-ids");
    }
    return code.map(text -> Message.of(text, "engine", EngineChoice.title(connection.engine())))
        .map(message -> message.with("socket", connection.socket().toString()));
  }

  private static Optional<Message> joined(List<Message> problems) {
    return problems.stream()
        .reduce(
            (first, next) -> Message.of("config.engine-and", "first", first).with("next", next));
  }
}
